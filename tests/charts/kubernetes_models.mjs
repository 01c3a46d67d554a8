// Holds objects against the schemas of Kubernetes and of the Prometheus operator.
// Reads {"apiVersion": ..., "kind": ...} from the standard input, one a line; answers each with a line: "", or what is wrong.
// Runs beside the packages that it imports, in build/charts.
import {createInterface} from "node:readline";

async function model({apiVersion, kind}) {
  const operator = apiVersion.startsWith("monitoring.coreos.com/");
  const module = await import((operator ? "@kubernetes-models/prometheus-operator/" : "kubernetes-models/") + apiVersion);
  if (!module[kind]) throw new Error(`there is no ${kind} in ${apiVersion}`);
  return module[kind];
}

for await (const line of createInterface({input: process.stdin})) {
  const object = JSON.parse(line);
  try {
    new (await model(object))(object).validate();
    console.log("");
  } catch (error) {
    console.log(error.message.replaceAll("\n", " "));
  }
}
