// node sdk.mjs
// Drives `rea mcp` with the official TypeScript SDK by the steps of plan.json, and
// prints what came of it as one JSON document. A step is {tool, arguments} or {uri}.
// "$parent" in it stands for the parent_evidence_id of the last summary. The SDK's
// client validates every structured result against the schema that the server
// advertises.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const require = createRequire("/opt/mcp/package.json");
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
const { default: Ajv2020 } = await load("ajv/dist/2020.js");
const { default: addFormats } = await load("ajv-formats");

const plan = JSON.parse(readFileSync("plan.json", "utf8"));
const client = new Client({ name: "rea-verify-typescript", version: "1" });
await client.connect(new StdioClientTransport({ command: process.cwd() + "/rea", args: ["mcp"], stderr: "inherit" }));

const listed = await client.listTools();
const Ajv = Ajv2020.default ?? Ajv2020;
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats.default ?? addFormats)(ajv);
const compiled = new Map();
const out = { server: client.getServerVersion(), instructions: client.getInstructions() ?? "", tools: [], steps: [] };
for (const tool of listed.tools) {
  const said = { name: tool.name, annotations: tool.annotations ?? null, input: "", output: "" };
  for (const [part, schema] of [["input", tool.inputSchema], ["output", tool.outputSchema]]) {
    try {
      compiled.set(`${tool.name} ${part}`, ajv.compile(schema));
    } catch (e) {
      said[part] = String(e.message);
    }
  }
  out.tools.push(said);
}

let parent = "";
const fill = (v) => JSON.parse(JSON.stringify(v).replaceAll("$parent", parent));
for (const step of plan) {
  const did = { ok: false, error: "", is_error: false, text: "", progress: 0, accepts: null, valid: null };
  out.steps.push(did);
  try {
    if (step.uri) {
      const r = await client.readResource({ uri: fill(step.uri) });
      did.text = r.contents[0].text;
      did.ok = true;
      continue;
    }
    const args = fill(step.arguments);
    did.accepts = compiled.get(`${step.tool} input`)(args);
    const r = await client.callTool({ name: step.tool, arguments: args }, undefined, {
      timeout: 60000, onprogress: () => { did.progress++; },
    });
    did.is_error = r.isError === true;
    did.text = r.content.length === 1 && r.content[0].type === "text" ? r.content[0].text : "";
    if (r.structuredContent) {
      did.valid = compiled.get(`${step.tool} output`)(r.structuredContent);
      const said = r.structuredContent.normalized_result;
      if (said?.kind === "summary") parent = said.parent_evidence_id;
    }
    did.ok = true;
  } catch (e) {
    did.error = `${e.code ?? ""} ${e.message}`.trim();
  }
}
await client.close();
console.log(JSON.stringify(out));
