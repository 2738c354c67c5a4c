// What the page does in the browser: it shows the tab that the address names, asks the server when
// inputs change, keeps the last results until new ones are there, and links to the inputs.
"use strict";

const LONGEST_LINK = 8000; // characters; servers and messengers cut longer links
const PAUSE = 150; // milliseconds without a key after which the server is asked
const TABS = ["explain", "systems", "profiles", "learn"];
const state = {}; // by tab: the defaults, the last request, and a timer
let openTab = "";

const panel = (tab) => document.getElementById(`${tab}-panel`);
const form = (tab) => panel(tab).querySelector("form");
const session = readKept("session") ?? keep("session", crypto.randomUUID?.() ?? String(Math.random()).slice(2));

// A browser may refuse to keep anything.
function readKept(name) {
  try { return JSON.parse(sessionStorage.getItem(name)); } catch { return null; }
}
function keep(name, value) {
  try { sessionStorage.setItem(name, JSON.stringify(value)); } catch { /* Only a reload misses it. */ }
  return value;
}

// The inputs of a tab by name; what a profile lacks is disabled, and left out.
function read(tab) {
  const values = {};
  for (const field of form(tab).elements) {
    const { name, type } = field;
    if (!name || field.disabled || type === "file" || name.endsWith("-text")) continue;
    const isList = "list" in field.dataset;
    let value = type === "checkbox" && !isList ? field.checked : field.value;
    if (value && ["max_order", "use_stemmer"].includes(name)) value = JSON.parse(value);
    if (type === "checkbox" && isList && !field.checked) continue;
    if (isList) (values[name] ??= []).push(value);
    else values[name] = value;
  }
  return values;
}

// Sets inputs; anybody may have written them, so that unknown values are left out.
function write(tab, values) {
  for (const [given, value] of Object.entries(values)) {
    const name = given.replaceAll("-", "_"); // links of earlier versions
    const all = [...form(tab).elements].filter((one) => one.name === name && one.type !== "file");
    if (name === "references" && Array.isArray(value)) writeReferences(tab, value.map(String));
    else if (all[0]?.type === "checkbox" && "list" in all[0].dataset) {
      for (const one of all) one.checked = [value].flat().includes(one.value);
    } else if (all.length !== 1) continue;
    else if (all[0].type === "checkbox") all[0].checked = value === true;
    else if (all[0].tagName !== "SELECT" || [...all[0].options].some((one) => one.value === String(value))) all[0].value = value;
  }
}

function writeReferences(tab, texts) {
  const column = panel(tab).querySelector(".references");
  const boxes = () => [...column.querySelectorAll("label")];
  while (boxes().length > Math.max(1, texts.length)) boxes().at(-1).remove();
  while (boxes().length < texts.length) addBox(column);
  boxes().forEach((box, place) => { box.querySelector("textarea").value = texts[place] ?? ""; });
  adapt(tab);
}

function addBox(column) {
  const boxes = column.querySelectorAll("label");
  const box = boxes[0].cloneNode(true);
  box.firstChild.textContent = `Reference ${boxes.length + 1} `;
  box.querySelector("textarea").value = "";
  box.querySelector("textarea").placeholder = "Type another reference";
  boxes[boxes.length - 1].after(box);
  return box.querySelector("textarea");
}

// What depends on inputs alone: options that the profile lacks, and whether a reference can be added.
function adapt(tab) {
  const lacks = JSON.parse(document.body.dataset.lacks)[form(tab).elements.profile?.value] ?? [];
  for (const field of form(tab).elements) {
    if (field.closest(".options")) field.disabled = lacks.includes(field.name);
  }
  const column = panel(tab).querySelector(".references");
  if (column) column.querySelector("[data-add]").hidden = column.querySelectorAll("label").length >= column.dataset.most;
  const shown = panel(tab).querySelector(".upload");
  if (shown) shown.textContent = `${form(tab).elements.upload.value}`;
}

// The inputs that differ from the defaults, which a link holds.
function findChanges(tab) {
  const values = read(tab), own = state[tab].defaults;
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(own[name])));
}

// The address holds the inputs of the open tab behind "#", which browsers do not send.
function showAddress() {
  const tab = openTab;
  let hash = `#${tab}`;
  if (tab !== "learn") {
    const changes = findChanges(tab);
    keep(tab, changes);
    if (tab === "systems") for (const name of ["upload", "read", "columns", "reference_column", "baseline", "clusters", "groups"]) delete changes[name];
    const text = JSON.stringify(changes);
    if (text !== "{}" && text.length < LONGEST_LINK) hash += `=${encodeURIComponent(text)}`;
    state[tab].isTooLong = text.length >= LONGEST_LINK;
  }
  if (location.hash !== hash) history.replaceState(null, "", location.pathname + location.search + hash);
}

// Opens the tab of the address, which is an entry of the history, with the inputs that it holds.
function open() {
  const [, name, text] = location.hash.match(/^#(\w+)(?:=(.*))?$/s) ?? [];
  const tab = TABS.includes(name) ? name : TABS[0];
  let given = null;
  try { given = text === undefined ? null : Object(JSON.parse(decodeURIComponent(text))); } catch { /* not ours */ }
  const isNew = tab !== openTab;
  openTab = tab;
  for (const one of TABS) {
    panel(one).hidden = one !== tab;
    const link = document.querySelector(`nav a[href^="#${one}"]`);
    if (one === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${document.querySelector("nav [aria-current]").textContent} – BLEU and ROUGE`;
  if (tab === "learn") return;
  if (given) {
    const own = state[tab].defaults;
    const kept = tab === "systems" ? Object.fromEntries(Object.entries(read(tab)).filter(([one]) => one === "upload")) : {};
    write(tab, { ...own, ...kept, ...given });
    const old = Object.keys(given).filter((one) => /^reference-\d+$/.test(one)).sort();
    if (old.length) writeReferences(tab, old.map((one) => given[one]).filter(Boolean));
  }
  if (given || !state[tab].asked) run(tab);
  else showAddress();
  if (isNew) scrollTo(0, 0);
}

function setState(tab, name, text = "") {
  panel(tab).dataset.state = name;
  const place = panel(tab).querySelector(".state");
  if (place.innerHTML !== text) place.innerHTML = text;
}

// Replaces HTML; what has the focus, and which details are open, stays.
function show(html) {
  const focus = document.activeElement?.dataset?.key;
  const more = focus === "more" ? document.querySelectorAll(".sample").length : 0;
  for (const [id, text] of Object.entries(html)) {
    const place = document.getElementById(id);
    const opened = [...place.querySelectorAll("details[open][data-key]")].map((one) => one.dataset.key);
    place.innerHTML = text;
    for (const key of opened) place.querySelector(`details[data-key="${CSS.escape(key)}"]`)?.setAttribute("open", "");
  }
  if (!focus || document.activeElement?.dataset?.key === focus) return;
  const next = more ? document.querySelectorAll(".sample a")[2 * more] : document.querySelector(`[data-key="${CSS.escape(focus)}"]`);
  next?.focus({ preventScroll: true });
}

async function ask(address, options = {}) {
  const response = await fetch(`page/${address}`, options);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}
const post = (value) => ({ method: "POST", body: JSON.stringify({ ...value, session }), headers: { "Content-Type": "application/json" } });

// Asks for the results of the inputs; of several requests only the last one counts.
async function run(tab) {
  const own = state[tab];
  clearTimeout(own.timer);
  own.timer = 0;
  own.request?.abort();
  const request = own.request = new AbortController();
  adapt(tab);
  if (tab === openTab) showAddress();
  const values = own.asked = read(tab);
  const start = performance.now();
  panel(tab).dataset.state = "busy";
  const clock = setInterval(() => {
    const seconds = (performance.now() - start) / 1000;
    if (seconds < 0.8) return;
    if (!panel(tab).querySelector("progress")) setState(tab, "busy", '<p class="busy"><progress></progress> <span></span> <button type="button" class="act" data-cancel>Cancel</button></p>');
    const bar = panel(tab).querySelector("progress");
    bar.max = document.body.dataset.seconds;
    bar.value = seconds;
    bar.nextElementSibling.textContent = `${Math.floor(seconds)} s`;
  }, 200);
  try {
    const found = await ask(tab, { ...post(values), signal: request.signal });
    if (request !== own.request) return;
    if (found.html) show(found.html);
    setState(tab, found.error ? "old" : "new", found.error ?? "");
    if (!found.error && tab === "systems") finishSystems(values.upload);
    if (tab === "systems" && tab === openTab) showAddress();
  } catch (error) {
    if (request !== own.request) return;
    const isCancelled = error.name === "AbortError";
    setState(tab, "old", `<div class="message ${isCancelled ? "note" : "error"}"><p>${isCancelled ? "Cancelled; these are the results of earlier inputs."
      : "The page got no answer. Check the connection, and try again."}</p><button type="button" class="act" data-again>Try again</button></div>`);
  } finally {
    clearInterval(clock);
  }
}

function later(tab) {
  clearTimeout(state[tab].timer);
  state[tab].timer = setTimeout(() => run(tab), PAUSE);
}

// The first result of files takes the place of their inputs.
function finishSystems(upload) {
  if (upload !== state.systems.scored) panel("systems").querySelector(".sources").open = false;
  state.systems.scored = upload;
  for (const link of panel("systems").querySelectorAll("[data-file]")) {
    link.href = `page/file?${new URLSearchParams({ session, kind: link.dataset.file })}`;
  }
}

async function upload() {
  const fields = form("systems").elements, data = new FormData();
  data.append("session", session);
  for (const field of fields) {
    if (field.type === "file") for (const file of field.files) data.append(field.name, file);
    else if ("upload" in field.dataset && field.value.trim()) data.append(field.name, field.value);
  }
  setState("systems", "busy", '<p class="busy"><progress></progress> Uploading</p>');
  try {
    const found = await ask("upload", { method: "POST", body: data });
    if (found.error) return setState("systems", "old", found.error);
    choose(found.upload);
  } catch {
    setState("systems", "old", '<div class="message error"><p>The upload failed. Check the connection, and try again.</p></div>');
  }
}

// Other files have other columns.
function choose(name) {
  document.getElementById("systems-columns").replaceChildren();
  form("systems").elements.upload.value = name;
  run("systems");
}

async function showCell(values) {
  try {
    const found = await ask(`cell?${new URLSearchParams({ session, ...values })}`);
    if (found.error) setState("systems", "old", found.error);
    else show(found.html);
  } catch { setState("systems", "old", '<div class="message error"><p>The page got no answer. Try again.</p></div>'); }
}

function filterRows(more = {}) {
  const filter = document.getElementById("systems-filter");
  showCell({ ...filter.dataset, winner: filter.elements.winner.value, search: filter.elements.search.value, ...more });
}

const tabOf = (element) => element.closest("[data-tab]")?.dataset.tab;

document.addEventListener("input", (event) => {
  const field = event.target, tab = tabOf(field);
  if (field.closest("#systems-filter")) {
    clearTimeout(state.systems.filter);
    state.systems.filter = setTimeout(filterRows, PAUSE);
  } else if (tab && field.form && field.type !== "file" && !("upload" in field.dataset)) later(tab);
});
document.addEventListener("change", (event) => {
  if (event.target.type === "file" || "upload" in event.target.dataset) upload();
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.id !== "systems-filter") run(tabOf(event.target));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && openTab !== "learn") run(openTab);
});

document.addEventListener("click", (event) => {
  const one = event.target.closest("button, a");
  if (!one) return;
  const tab = tabOf(one), data = one.dataset;
  if (data.set) {
    write(tab, JSON.parse(data.set));
    run(tab);
  } else if (data.cell) {
    for (const cell of document.querySelectorAll("[data-cell]")) cell.setAttribute("aria-pressed", String(cell === one));
    showCell(JSON.parse(data.cell));
  } else if (data.more) filterRows({ most: data.more });
  else if (data.example) {
    for (const field of form(tab).elements) if (field.type === "file" || "upload" in field.dataset) field.value = "";
    choose(data.example);
  } else if ("add" in data) {
    addBox(one.closest(".references")).focus();
    adapt(tab);
  } else if ("cancel" in data) state[tab].request?.abort();
  else if ("again" in data) run(tab);
  else if ("copy" in data) copy(one, one.parentElement.querySelector("pre").textContent);
  else if ("copyLink" in data) copy(one, state[tab].isTooLong ? "" : location.href);
  else if ("skip" in data) {
    event.preventDefault();
    const target = panel(openTab).querySelector(".results") ?? panel(openTab);
    target.tabIndex = -1;
    target.focus();
  }
});

async function copy(button, text) {
  const label = button.textContent;
  if (!text) button.textContent = "The texts are too long for a link";
  else await navigator.clipboard.writeText(text).then(
    () => { button.textContent = "Copied"; },
    () => { button.textContent = "The browser does not allow it"; },
  );
  setTimeout(() => { button.textContent = label; }, 1500);
}

// What matches is lit in all texts of the pair.
for (const kind of ["mouseover", "mouseout"]) document.addEventListener(kind, (event) => {
  const mark = event.target.closest?.(".pair .g");
  for (const other of mark?.closest(".pair").querySelectorAll(".g") ?? []) {
    other.classList.toggle("lit", kind === "mouseover" && other.textContent.toLowerCase() === mark.textContent.toLowerCase());
  }
});

// A Space in a dark site is asked for the dark theme.
const theme = new URLSearchParams(location.search).get("__theme");
if (theme) document.documentElement.dataset.theme = theme;

const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
for (const tab of TABS.filter((one) => one !== "learn")) {
  state[tab] = { defaults: read(tab) };
  const kept = isReload && readKept(tab);
  if (kept) write(tab, kept);
  adapt(tab);
}
addEventListener("hashchange", open);
open();
