// How the pinned packages judge a HAR. verdict.mjs and serve.mjs give the same
// answers because both ask here.
//
// The stages, in this order: utf8, json, duplicate, schema, version. The answer is
// {verdict:"accept"} or {verdict:"reject", stage, pointer?, keyword?}; a schema
// rejection has "all", the list that ajv's allErrors mode gives, in its order and with
// the errors of oneOf branches. Nesting depth and base64 are not judged.
import { createRequire } from "node:module";
import * as jsonc from "jsonc-parser";
import { parse, isSafeNumber, LosslessNumber } from "lossless-json";

const require = createRequire(import.meta.url);
const Ajv = require("ajv").default;
const addFormats = require("ajv-formats").default;
const schemas = require("har-schema");
const draft6 = require("ajv/lib/refs/json-schema-draft-06.json");

const compile = (allErrors) => {
  const ajv = new Ajv({ allErrors, strict: false, logger: false });
  addFormats(ajv);
  ajv.addMetaSchema(draft6);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  return ajv.getSchema("har.json");
};
const first = compile(false);
const all = compile(true);

// plain copies lossless-json's tree into what ajv validates. A number that
// lossless-json doesn't call safe is null there.
const plain = (v) => {
  if (v instanceof LosslessNumber) return isSafeNumber(v.value) ? Number(v.value) : null;
  if (Array.isArray(v)) return v.map(plain);
  if (v && typeof v === "object") {
    const o = {};
    for (const k of Object.keys(v)) {
      Object.defineProperty(o, k, { value: plain(v[k]), enumerable: true, writable: true, configurable: true });
    }
    return o;
  }
  return v;
};

const reject = (stage) => ({ verdict: "reject", stage });

// brief is how a row of "all" looks unless the caller asks for another.
const brief = (e) => ({ pointer: e.instancePath, keyword: e.keyword });

// full adds to a row which rule failed, and the rule's parameters.
export const full = (e) => ({ ...brief(e), schema_pointer: e.schemaPath, params: e.params });

export const judge = (bytes, row = brief) => {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return reject("utf8");
  }
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);

  const open = [];
  let duplicate = false;
  let malformed = text.trim() === "";
  jsonc.visit(text, {
    onObjectBegin() { open.push(new Set()); },
    onObjectEnd() { open.pop(); },
    onObjectProperty(name) {
      const names = open.at(-1);
      if (names.has(name)) duplicate = true;
      names.add(name);
    },
    onError() { malformed = true; },
  }, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  if (malformed) return reject("json");
  if (duplicate) return reject("duplicate");

  const raw = parse(text);
  const value = plain(raw);
  const log = value?.log;
  // SaveHar of mitmproxy 12.2.3 writes null for the text of a body that it has not.
  if (log?.creator?.name === "mitmproxy" && log.creator.version === "12.2.3" && Array.isArray(log.entries)) {
    log.entries.forEach((e, i) => {
      if (raw.log.entries[i]?.request?.postData?.text === null) delete e.request.postData.text;
    });
  }

  const version = log?.version;
  if (!first(value)) {
    const e = first.errors[0];
    all(value);
    return { ...reject("schema"), pointer: e.instancePath, keyword: e.keyword, version, all: all.errors.map(row) };
  }
  if (version !== "1.2") return { ...reject("version"), pointer: "/log/version", version };
  return { verdict: "accept", version };
};
