// node complete.mjs FILE
// What the pinned packages need to do what rea does for one HAR: refuse duplicate names,
// keep numbers without loss, validate, decode base64 bodies, and print every record with
// its sidecars as one JSON document. It is here to be timed, not to be trusted.
import { readFileSync, writeSync } from "node:fs";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import * as jsonc from "jsonc-parser";
import { parse as losslessParse, LosslessNumber } from "lossless-json";
const require = createRequire(import.meta.url);
const Ajv = require("ajv").default, addFormats = require("ajv-formats").default;
const schemas = require("har-schema");
const draft6 = require("ajv/lib/refs/json-schema-draft-06.json");
const bytes = readFileSync(process.argv[2]);
const sha = createHash("sha256").update(bytes).digest("hex");
const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const stack = [];
jsonc.visit(text, {
  onObjectBegin() { stack.push(new Set()); }, onObjectEnd() { stack.pop(); },
  onObjectProperty(name) { const s = stack.at(-1); if (s.has(name)) throw new Error("duplicate " + name); s.add(name); },
  onError(e, o) { throw new Error("malformed at " + o); },
});
const value = losslessParse(text);
const toPlain = (v, p, nums) => {
  if (v instanceof LosslessNumber) { nums?.push({ pointer: p, literal: v.value }); return Number(v.value); }
  if (Array.isArray(v)) return v.map((x, i) => toPlain(x, p + "/" + i, nums));
  if (v && typeof v === "object") { const o = {}; for (const k of Object.keys(v)) o[k] = toPlain(v[k], p + "/" + k.replace(/~/g, "~0").replace(/\//g, "~1"), nums); return o; }
  return v;
};
const entries = value.log.entries;
const records = entries.map((e, i) => { const nums = []; const reported = toPlain(e, "", nums); return { ordinal: i, location: { kind: "json-pointer", pointer: `/log/entries/${i}` }, reported, numeric_literals: nums }; });
const ajv = new Ajv({ allErrors: false, strict: false }); addFormats(ajv); ajv.addMetaSchema(draft6);
for (const [k, s] of Object.entries(schemas)) ajv.addSchema(s);
const validate = ajv.getSchema("har.json#") ?? ajv.getSchema("har.json");
const plain = { log: { ...toPlain({ ...value.log, entries: [] }, ""), entries: records.map((r) => r.reported) } };
if (!validate(plain)) throw new Error(JSON.stringify(validate.errors[0]));
for (const r of records) {
  r.binary_fields = [];
  const content = r.reported.response?.content;
  if (content?.encoding === "base64" && typeof content.text === "string") {
    const b = Buffer.from(content.text, "base64");
    r.binary_fields.push({ pointer: "/response/content/text", bytes: b.length, sha256: createHash("sha256").update(b).digest("hex"), content_base64: b.toString("base64") });
  }
}
const out = JSON.stringify({ artifact: { sha256: sha, bytes: bytes.length }, total_records: records.length, records }, null, 2);
process.stdout.write(out);
