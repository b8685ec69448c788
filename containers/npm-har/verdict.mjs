// node verdict.mjs FILE...
// One JSON line a file: its name and what judge.mjs says of its bytes. A file that
// can't be read or judged has the verdict "none".
import { readFileSync } from "node:fs";
import { judge } from "./judge.mjs";

for (const file of process.argv.slice(2)) {
  let v;
  try {
    v = judge(readFileSync(file));
  } catch (e) {
    v = { verdict: "none", error: e.message };
  }
  console.log(JSON.stringify({ file, ...v }));
}
