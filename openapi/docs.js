// The page /docs: everything in /openapi.json, and a form to try each operation. Texts go in by textContent alone.
"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];
const token = document.createElement("input"); // forgotten with the page
let spec;

function resolve(node) {
  while (node && node.$ref)
    node = node.$ref.slice(2).split("/").reduce((at, part) => at[part.replaceAll("~1", "/")], spec);
  return node;
}

function make(name, text, ...children) {
  const element = document.createElement(name);
  if (text !== undefined && text !== null)
    element.textContent = text;
  element.append(...children);
  return element;
}

function classed(element, name) {
  element.className = name;
  return element;
}

// A text of the document: `code` and **words that stand out** become elements, and lines of one paragraph one line.
function said(name, text) {
  const lines = (text ?? "").split("\n\n").map((paragraph) => paragraph.replace(/\n\s*(?![*`\s])/g, " ")).join("\n\n");
  const parts = lines.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`"))
      return make("code", part.slice(1, -1));
    return part.startsWith("**") ? make("b", part.slice(2, -2)) : part;
  });
  return make(name, null, ...parts);
}

function folded(title, ...children) {
  return make("details", null, said("summary", title), ...children);
}

function pretty(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

// What a schema is, in a few words: its type, its bounds, its default.
function kindOf(schema) {
  const named = schema.$ref ? schema.$ref.split("/").pop() : null;
  const is = resolve(schema);
  const words = [is.enum ? is.enum.map((word) => JSON.stringify(word)).join(" | ") : [is.type ?? named ?? "any value"].flat().join(" or ")];
  if (is.type === "array")
    words[0] = `array of ${kindOf(is.items)}`;
  for (const [key, sign] of [["minimum", "≥"], ["maximum", "≤"], ["maxLength", "length ≤"], ["maxItems", "elements ≤"]]) {
    if (is[key] !== undefined)
      words.push(`${sign} ${is[key]}`);
  }
  if (is.format)
    words.push(is.format);
  if (is.default !== undefined)
    words.push(`default ${JSON.stringify(is.default)}`);
  return words.join(", ");
}

// A schema with its fields; what is inside another one is folded, and made when it is opened.
function schemaOf(schema) {
  const is = resolve(schema);
  const parts = make("div");
  if (is.description)
    parts.append(said("p", is.description));
  for (const part of is.oneOf ?? is.anyOf ?? is.allOf ?? []) {
    if (part.$ref)
      parts.append(later(part.$ref.split("/").pop(), part));
  }
  const fields = make("dl");
  for (const [name, field] of Object.entries(is.properties ?? {})) {
    const must = (is.required ?? []).includes(name) ? " (required)" : "";
    const term = make("dt", name + must, classed(make("span", `  ${kindOf(field)}`), "kind"));
    const meaning = said("dd", field.description ?? resolve(field).description);
    const inner = resolve(field).type === "array" ? resolve(field).items : field;
    if (["properties", "oneOf", "anyOf", "allOf"].some((key) => resolve(inner)[key]))
      meaning.append(later("its fields", inner));
    fields.append(term, meaning);
  }
  parts.append(fields);
  return parts;
}

function later(title, schema) {
  const shown = folded(title);
  shown.addEventListener("toggle", () => shown.childElementCount > 1 || shown.append(schemaOf(schema)), { once: true });
  return shown;
}

function examplesOf(media) {
  if (media.example !== undefined)
    return [["Example", media.example]];
  return Object.values(media.examples ?? {}).map((each) => [resolve(each).summary, resolve(each).value]);
}

function bodyOf(content) {
  const media = content["application/json"] ?? content["application/problem+json"] ?? Object.values(content)[0];
  const parts = make("div", null, make("p", Object.keys(content).join(", ")));
  for (const [title, value] of examplesOf(media))
    parts.append(make("h4", title), make("pre", pretty(value)));
  if (resolve(media.schema)?.properties || resolve(media.schema)?.oneOf)
    parts.append(later("Schema", media.schema));
  return parts;
}

function answersOf(operation) {
  return Object.entries(operation.responses).map(([status, response]) => {
    const is = resolve(response);
    const headers = Object.entries(is.headers ?? {}).map(([name, header]) => said("p", `${name}: ${resolve(header).description}`));
    return folded(`${status} ${is.description}`, ...headers, ...(is.content ? [bodyOf(is.content)] : []));
  });
}

// A form that sends the request from this page, and shows what came.
function trial(method, path, operation, parameters, example) {
  const inputs = parameters.map((parameter) => {
    const input = make("input");
    input.value = parameter.in === "path" ? parameter.example ?? "" : "";
    input.placeholder = String(resolve(parameter.schema).default ?? "");
    return [parameter, input];
  });
  const body = make("textarea");
  body.value = example === undefined ? "" : pretty(example);
  const send = make("button", "Send");
  const came = make("pre");
  const form = folded("Try it", ...inputs.map(([parameter, input]) => make("label", `${parameter.name} `, input)),
    ...(operation.requestBody ? [body] : []), send, came);
  send.addEventListener("click", async () => {
    let target = path;
    const query = new URLSearchParams();
    const headers = { Accept: "application/json, text/plain, text/html" };
    for (const [parameter, input] of inputs) {
      if (parameter.in === "path")
        target = target.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value !== "" && parameter.in === "query")
        query.set(parameter.name, input.value);
      else if (input.value !== "")
        headers[parameter.name] = input.value;
    }
    if (token.value !== "")
      headers.Authorization = `Bearer ${token.value}`;
    const request = { method: method.toUpperCase(), headers };
    if (operation.requestBody && body.value.trim() !== "") {
      headers["Content-Type"] = "application/json";
      request.body = body.value;
    }
    came.textContent = "…";
    try {
      const answer = await fetch(`.${target}` + (query.size ? `?${query}` : ""), request);
      const text = await answer.text();
      const tag = answer.headers.get("ETag");
      came.className = answer.ok ? "" : "failed";
      came.textContent = `${answer.status} ${answer.statusText}${tag ? `\nETag: ${tag}` : ""}\n\n${text}`;
    } catch (problem) {
      came.className = "failed";
      came.textContent = String(problem);
    }
  });
  return form;
}

function operationOf(method, path, item) {
  const operation = item[method];
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve);
  const roles = operation["x-roles"].length ? `Roles: ${operation["x-roles"].join(", ")}` : "No token is needed.";
  const encoding = `Without Accept and body, the answer is ${operation.tags.some((tag) => ["pushers", "workers"].includes(tag)) ? "MessagePack" : "JSON"}.`;
  const fields = make("dl");
  for (const parameter of parameters) {
    const must = parameter.required ? " (required)" : "";
    fields.append(make("dt", `${parameter.name}${must}`, classed(make("span", `  ${parameter.in}, ${kindOf(parameter.schema)}`), "kind")),
      said("dd", parameter.description));
  }
  const request = resolve(operation.requestBody);
  const example = request && examplesOf(request.content["application/json"])[0]?.[1];
  const head = make("summary", null, classed(make("span", method.toUpperCase()), "method"), make("code", path), make("span", `  ${operation.summary}`));
  const shown = make("details", null, head);
  shown.id = operation.operationId;
  shown.addEventListener("toggle", () => shown.childElementCount > 1 || shown.append(said("p", operation.description), make("p", roles),
    ...(path.startsWith("/v1/") ? [make("p", encoding)] : []),
    ...(parameters.length ? [make("h4", "Parameters"), fields] : []),
    ...(request ? [make("h4", request.required ? "Request" : "Request (may be left out)"), bodyOf(request.content)] : []),
    make("h4", "Answers"), ...answersOf(operation), trial(method, path, operation, parameters, example)), { once: true });
  return shown;
}

async function show() {
  spec = await (await fetch("openapi.json")).json();
  const page = document.getElementById("document");
  token.type = "password";
  token.autocomplete = "off";
  page.append(said("p", spec.info.description), make("label", "Token for trying, if one is needed ", token));
  for (const tag of spec.tags) {
    page.append(make("h2", tag.name), said("p", tag.description));
    for (const [path, item] of Object.entries(spec.paths)) {
      for (const method of METHODS) {
        if (item[method]?.tags[0] === tag.name)
          page.append(operationOf(method, path, item));
      }
    }
  }
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.setAttribute("open", "");
}

show();
