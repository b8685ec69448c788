// node versions.mjs
// One line for each package that this image was made for, "name version", as the
// installed package says it itself; node's own first.
import { readFileSync } from "node:fs";

const json = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

console.log(`node ${process.versions.node}`);
for (const home of ["../judge/", "./"]) {
  for (const name of Object.keys(json(`${home}package.json`).dependencies)) {
    console.log(`${name} ${json(`${home}node_modules/${name}/package.json`).version}`);
  }
}
