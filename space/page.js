// What the page does in the browser, without asking the server: it marks results that are older
// than the inputs, moves at once after a click, keeps a link to the inputs, saves files, links
// matching tokens, sets inputs and opens details.
"use strict";

window.page = (() => {
  const LONGEST_LINK = 8000; // characters; servers and messengers cut longer links
  let hasLink = true; // whether the address has the inputs
  const openedHash = location.hash;
  let openedTab = Object.keys(tabTitles)[0];
  const asked = {}; // inputs of the last request of a tab
  const answered = {}; // inputs of the results that a tab shows
  const current = {}; // inputs that the tab has now
  const running = {}; // whether an answer is awaited
  const linked = {}; // inputs that the address names, or could name
  const defaults = {}; // inputs of a page that was only opened
  const names = {}; // the ends of the ids of inputs
  const choices = {}; // the values of each input; null for any
  const waiting = {}; // inputs of a link that need its files
  const pending = {}; // inputs that a button has set, by name

  const write = (values) => JSON.stringify(values, (key, value) => (key === "url" ? undefined : value));

  function setState(tab, state) {
    const panel = document.getElementById(`${tab}-panel`);
    if (panel) panel.dataset.state = state;
  }

  // A request begins: something moves before the server answers.
  function start(tab, values) {
    // A copy, because a component may change a list of its own.
    asked[tab] = JSON.parse(JSON.stringify(values));
    current[tab] = write(values);
    running[tab] = true;
    setState(tab, "busy");
    return values;
  }

  // Results that belong to other inputs are marked; inputs that are changed back make them new.
  function change(tab, values) {
    current[tab] = write(values);
    link(tab, values);
    if (!running[tab]) mark(tab);
    return [];
  }

  function mark(tab) {
    // Without results there is nothing to mark.
    const isNew = !answered[tab] || current[tab] === write(answered[tab]);
    setState(tab, isNew ? "new" : "old");
  }

  // After a click the results come into the window.
  function finish(tab, scrolls) {
    answered[tab] = asked[tab];
    running[tab] = false;
    mark(tab);
    if (scrolls) requestAnimationFrame(() => {
      const places = [`${tab}-message`, `${tab}-results`].map((id) => document.getElementById(id));
      places.find((one) => one?.offsetParent)?.scrollIntoView({ block: "start" });
    });
    return [];
  }

  // More of the results is of their inputs, which may have changed; ``own`` other values come first.
  function recall(tab, own, values) {
    return answered[tab] ? [...values.slice(0, own), ...answered[tab]] : values;
  }

  // A row of the results is read again, and then explained.
  function wait(tab, values) {
    setState(tab, "busy");
    return values;
  }

  function explain(tab, row) {
    mark(tab);
    if (row) set("explain", row);
    return [];
  }

  function fail(tab) {
    running[tab] = false;
    setState(tab, "failed");
    return [];
  }

  // The columns of an upload become choices of the tab; scores before that would be of others.
  function startReading(tab, values) {
    const panel = document.getElementById(`${tab}-panel`);
    delete panel.dataset.read;
    panel.querySelector("button.score").disabled = true;
    setState(tab, "reading");
    return values;
  }

  function finishReading(tab, values) {
    const panel = document.getElementById(`${tab}-panel`);
    panel.dataset.read = [values[0] ?? []].flat().map((one) => one.orig_name).join(" ");
    panel.querySelector("button.score").disabled = false;
    change(tab, values);
    return resume(tab, values);
  }

  // A link holds the inputs that were changed, by name, behind "#", which browsers do not send to
  // the server. Of files it holds the names. A page that was only opened keeps its address.
  function link(tab, values) {
    const files = (value) => [value].flat().filter((one) => one?.orig_name).map((one) => one.orig_name);
    const text = write(Object.fromEntries(names[tab].flatMap((name, place) => {
      const value = values[place];
      if (write(value) === write(defaults[tab][place])) return [];
      return [[name, files(value).length ? { files: files(value) } : value]];
    })));
    if (linked[tab] !== text && !waiting[tab]) setLink(tab, text);
  }

  function setLink(tab, text) {
    linked[tab] = text;
    keep();
    if (tab === openedTab) showAddress();
  }

  // The address is that of the tab that is open.
  function showAddress() {
    const text = linked[openedTab] ?? "{}";
    const hash = text === "{}" ? "" : `#${openedTab}=${encodeURIComponent(text)}`;
    const address = location.pathname + location.search;
    hasLink = hash.length <= LONGEST_LINK;
    history.replaceState(null, "", hasLink ? address + hash : address);
  }

  // A reload brings back the inputs of the other tabs too. A browser may refuse to keep them.
  function keep() {
    try {
      sessionStorage.setItem("inputs", JSON.stringify(linked));
    } catch { /* They are in the address. */ }
  }

  function readKept() {
    try {
      const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
      return (isReload && JSON.parse(sessionStorage.getItem("inputs"))) || {};
    } catch {
      return {};
    }
  }
  const kept = readKept();

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[role=tab], .overflow-dropdown button");
    if (!button) return;
    const titles = Object.entries(tabTitles);
    const name = titles.find((one) => one[1] === button.textContent.trim())?.[0];
    if (!name || name === openedTab) return;
    openedTab = name;
    showAddress();
  });

  // Opens a tab; on a phone most are in a menu, where they have a title and no id.
  function openTab(name) {
    const items = [...document.querySelectorAll(".overflow-dropdown button")];
    const item = items.find((one) => one.textContent.trim() === tabTitles[name]);
    (document.getElementById(`${name}-tab-button`) ?? item)?.click();
  }

  const isOfKind = (value, own, offered) =>
    offered && value !== null ? [value].flat().every((one) => offered.includes(one))
      : own == null ? typeof value === "string"
        : typeof value === typeof own && Array.isArray(value) === Array.isArray(own);

  // The inputs of a tab, with those that a button or a link has set; anybody may have written it.
  function take(tab, values) {
    const given = pending[tab] ?? {};
    delete pending[tab];
    return values.map((own, place) => {
      const value = Object.hasOwn(given, names[tab][place]) ? given[names[tab][place]] : own;
      return isOfKind(value, own, choices[tab][place]) ? value : own;
    });
  }

  // A tab has no elements before it is opened.
  function whenThere(css, use) {
    const one = document.querySelector(css);
    if (one) use(one);
    else setTimeout(() => whenThere(css, use), 50);
  }

  // The page is opened: by a link with inputs, or with its own.
  function restore(tab, own, columns, values) {
    names[tab] = own.map((one) => one.name);
    choices[tab] = own.map((one) => one.choices);
    defaults[tab] = values;
    linked[tab] = "{}";
    const [name, hash] = openedHash.slice(1).split(/=(.*)/s);
    const isLinked = name === tab;
    let text;
    try {
      text = isLinked ? decodeURIComponent(hash) : kept[tab];
      if (text === undefined) return values;
      pending[tab] = Object(JSON.parse(text));
    } catch {
      return values;
    }
    const files = Object.values(pending[tab]).flatMap((value) => value?.files ?? []).map(String);
    if (files.length) {
      // What depends on a file is set when it is there.
      const later = columns.filter((name) => Object.hasOwn(pending[tab], name));
      waiting[tab] = Object.fromEntries(later.map((name) => [name, pending[tab][name]]));
      for (const name of later) delete pending[tab][name];
      whenThere(`#${tab}-panel .files`, (line) => {
        line.textContent = `This link was made with ${files.join(", ")}. Upload it again.`;
        line.hidden = false;
      });
    }
    const taken = take(tab, values);
    if (files.length) linked[tab] = text;
    else link(tab, taken);
    if (isLinked && (files.length || write(taken) !== write(values))) openTab(tab);
    return taken;
  }

  // The files of a link were given again: the other inputs, for the files have changed already.
  function resume(tab, values) {
    if (!waiting[tab] || !values[0]?.path && !values[0]?.length) return values.slice(2).map(() => ({ __type__: "update" }));
    document.querySelector(`#${tab}-panel .files`).hidden = true;
    pending[tab] = waiting[tab];
    delete waiting[tab];
    return take(tab, values).slice(2);
  }

  // A button sets inputs of a tab by the ends of their ids.
  function set(tab, values) {
    pending[tab] = values;
    const panel = document.getElementById(`${tab}-panel`);
    if (panel?.offsetParent == null) {
      openTab(tab);
      scrollTo(0, 0);
    }
    document.getElementById(`${tab}-set`).click();
  }

  // A link is pasted into the page that is open; what the page writes itself is no such event.
  addEventListener("hashchange", () => location.reload());

  function save(name, type, text) {
    const place = document.createElement("a");
    place.href = URL.createObjectURL(new Blob([text], { type }));
    place.download = name;
    place.click();
    setTimeout(() => URL.revokeObjectURL(place.href), 1000);
    return [];
  }

  // Ctrl+Enter clicks the button of the tab that is shown.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    const buttons = [...document.querySelectorAll("button.score")];
    const button = buttons.find((one) => one.offsetParent !== null);
    if (button) {
      event.preventDefault();
      button.click();
    }
  }, true);

  // A second click with the same inputs asks nothing new.
  document.addEventListener("click", (event) => {
    const tab = event.target.closest?.("button.score")?.id.replace("-score", "");
    if (running[tab] && current[tab] === write(asked[tab])) event.stopImmediatePropagation();
  }, true);

  // A button of a group of openers shows and hides what it names, and hides the others.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".openers button[aria-controls]");
    if (!button) return;
    const opens = button.getAttribute("aria-expanded") !== "true";
    const group = button.closest(".openers");
    for (const other of group.querySelectorAll("button[aria-controls]")) {
      const shown = opens && other === button;
      other.setAttribute("aria-expanded", String(shown));
      const opened = group.querySelector(`#${CSS.escape(other.getAttribute("aria-controls"))}`);
      opened.hidden = !shown;
      if (shown) opened.scrollIntoView({ block: "nearest" });
    }
  });

  // A cell of the matrix shows its charts and samples.
  function selectCell(kept, cell) {
    const [score, system] = JSON.parse(cell);
    for (const one of document.querySelectorAll("[data-cell]")) {
      one.setAttribute("aria-pressed", String(one.dataset.cell === cell));
    }
    return kept.charts[score][system];
  }

  // Links inside the page: to a lesson, and to the results of the tab that is shown. The address is
  // for inputs.
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest?.("a[data-go], a[data-skip]");
    if (!anchor) return;
    event.preventDefault();
    const shown = [...document.querySelectorAll("[id$='-results']")].find((one) => one.offsetParent);
    const target = "skip" in anchor.dataset
      ? shown ?? document.querySelector(`#${openedTab}-panel button.score`)
      : document.getElementById(anchor.hash.slice(1));
    if (!target) return;
    target.scrollIntoView({ block: "start" });
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  });

  // Arrows move between tabs.
  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!tab || !step) return;
    const tabs = [...tab.closest("[role=tablist]").querySelectorAll("[role=tab]")];
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    event.preventDefault();
    next.click();
    next.focus();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-set], [data-cell], [data-copy], .add");
    if (!button) return;
    if (button.dataset.cell) set("compare", { cell: button.dataset.cell });
    else if (button.dataset.set) set(button.dataset.tab, JSON.parse(button.dataset.set));
    else if (button.matches(".add")) addBox(button.closest(".references"));
    else copy(button);
  });

  // The next empty box of references is shown.
  function addBox(column) {
    const boxes = [...column.querySelectorAll("textarea")];
    const box = boxes.find((one) => one.offsetParent === null);
    if (!box) return;
    box.closest(".block").classList.add("added");
    box.focus();
  }

  async function copy(button) {
    const text = button.dataset.copy || button.parentElement.querySelector("pre")?.textContent;
    const label = button.textContent;
    const show = (answer) => { button.textContent = answer; };
    if (!text && !hasLink) show("The texts are too long for a link");
    else await navigator.clipboard.writeText(text || location.href).then(
      () => show("Copied"), () => show("The browser does not allow it"),
    );
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  // A token that is pointed at or has the focus lights what it matches, in both texts.
  function light(event, isOn) {
    const token = event.target.closest?.(".pair .token");
    if (!token) return;
    const pair = token.closest(".pair");
    for (const one of pair.querySelectorAll(".lit")) one.classList.remove("lit");
    if (!isOn) return;
    const [start, other, size, reference] = token.closest("[data-run]").dataset.run.split(" ").map(Number);
    for (const [text, first] of [["p", start], [String(reference), other]]) {
      for (const one of pair.querySelectorAll(`[data-text="${text}"] .token`)) {
        const place = Number(one.dataset.place);
        one.classList.toggle("lit", place >= first && place < first + size);
      }
    }
  }
  for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => light(event, true));
  for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, (event) => light(event, false));

  // A text is one stop of the Tab key; arrows move inside.
  document.addEventListener("keydown", (event) => {
    const token = event.target.closest?.(".pair .token");
    if (!token) return;
    const tokens = [...token.closest("[data-text]").querySelectorAll(".token")];
    const at = tokens.indexOf(token);
    const isRight = getComputedStyle(token.closest("[data-text]")).direction === "rtl";
    const forward = isRight ? "ArrowLeft" : "ArrowRight";
    const back = isRight ? "ArrowRight" : "ArrowLeft";
    const places = { [forward]: at + 1, [back]: at - 1, Home: 0, End: tokens.length - 1 };
    const next = tokens[places[event.key]];
    if (!next) return;
    event.preventDefault();
    token.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  // Every text box writes in the direction of its text; Gradio sets another. A list of choices is
  // no stop of the Tab key: it closes as soon as its box has no focus.
  new MutationObserver(() => {
    for (const list of document.querySelectorAll("[role=listbox]:not([tabindex])")) list.tabIndex = -1;
    for (const box of document.querySelectorAll("textarea:not([dir=auto])")) box.dir = "auto";
  }).observe(document.documentElement, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["dir"],
  });

  return {
    start, change, finish, fail, recall, wait, explain, startReading, finishReading, openTab, restore, save, selectCell, set,
    take,
  };
})();
