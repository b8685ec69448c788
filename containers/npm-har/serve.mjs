// node serve.mjs
// Answers one JSON request a line on standard input by one JSON line on standard
// output, {"ok":true,"result":...} or {"ok":false,"error":"..."}, until the input ends.
// A request is {"op":..., "input":...}:
//
//   verdict    base64 of a file   what judge.mjs says; rows of "all" have schema_pointer and params
//   safe       number lexeme      whether lossless-json calls the number safe
//   canonical  JSON text          the text as RFC 8785 has it: names in UTF-16 order, JSON.stringify's spellings
//   url        text               the parts of node's URL, or {ok:false} when it doesn't parse
//   sha256     base64 of bytes    hex digest
//   versions   (none)             of node and of the packages
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { isSafeNumber } from "lossless-json";
import { full, judge } from "./judge.mjs";

const require = createRequire(import.meta.url);
const pins = require("./package.json").dependencies;

const canonical = (v) => {
  if (Array.isArray(v)) return `[${v.map(canonical).join(",")}]`;
  if (v && typeof v === "object") {
    return `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${canonical(v[k])}`).join(",")}}`;
  }
  return JSON.stringify(v);
};

const url = (text) => {
  let u;
  try {
    u = new URL(text);
  } catch {
    return { ok: false };
  }
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = u;
  return { ok: true, href, origin, protocol, username, password, host, hostname, port, pathname, search, hash };
};

const bytes = (base64) => Buffer.from(base64, "base64");

const ops = {
  verdict: (input) => judge(bytes(input), full),
  safe: (input) => isSafeNumber(input),
  canonical: (input) => canonical(JSON.parse(input)),
  url,
  sha256: (input) => createHash("sha256").update(bytes(input)).digest("hex"),
  versions: () => ({ node: process.version, ...pins }),
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const { op, input } = JSON.parse(line);
    if (!Object.hasOwn(ops, op)) throw new Error(`no op ${op}`);
    answer = { ok: true, result: ops[op](input) };
  } catch (e) {
    answer = { ok: false, error: String(e?.message ?? e) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
