// What the page does in the browser, without asking the server: it marks results that are older
// than the inputs, moves at once after a click, keeps a link to the inputs, saves files, links
// matching tokens, opens details and sorts tables.
"use strict";

window.page = (() => {
  const LONGEST_LINK = 8000; // characters; servers and messengers cut longer links
  const sent = {}; // inputs of the last request of a tab
  const current = {}; // inputs that the tab has now
  const linked = {}; // inputs that the address names, or could name

  const write = (values) => JSON.stringify(values, (key, value) => (key === "url" ? undefined : value));

  function setState(tab, state) {
    const panel = document.getElementById(`${tab}-panel`);
    if (panel) panel.dataset.state = state;
  }

  // A request begins: something moves before the server answers.
  function start(tab, values) {
    sent[tab] = current[tab] = write(values);
    setState(tab, "busy");
    return values;
  }

  // Results that belong to other inputs are marked; inputs that are changed back make them new.
  function change(tab, values) {
    current[tab] = write(values);
    // Without results there is nothing to mark.
    const isNew = sent[tab] === undefined || current[tab] === sent[tab];
    setState(tab, isNew ? "new" : "old");
    return [];
  }

  function finish(tab) {
    setState(tab, current[tab] === sent[tab] ? "new" : "old");
    return [];
  }

  function fail(tab) {
    setState(tab, "failed");
    return [];
  }

  // A link holds the inputs behind "#", which browsers do not send to the server. The link is
  // written after the first change, so that a page that was only opened keeps its address.
  function link(tab, values) {
    const text = write(values);
    if (linked[tab] !== undefined && linked[tab] !== text) {
      const hash = `#${tab}=${encodeURIComponent(text)}`;
      const address = location.pathname + location.search;
      history.replaceState(null, "", hash.length > LONGEST_LINK ? address : address + hash);
    }
    linked[tab] = text;
    return values;
  }

  // Opens a tab; on a phone most are in a menu, where they have a title and no id.
  function openTab(name) {
    const items = [...document.querySelectorAll(".overflow-dropdown button")];
    const item = items.find((one) => one.textContent.trim() === tabTitles[name]);
    (document.getElementById(`${name}-tab-button`) ?? item)?.click();
  }

  // The inputs of a link if it is one of this tab and has the same kinds of values, since anybody
  // may have written it; else the inputs as they are.
  function restore(tab, values) {
    let found = null;
    try {
      const [name, text] = location.hash.slice(1).split(/=(.*)/s);
      if (name === tab) found = JSON.parse(decodeURIComponent(text));
    } catch {
      return values;
    }
    const isOfKind = (value, place) =>
      typeof value === typeof values[place] && Array.isArray(value) === Array.isArray(values[place]);
    if (!Array.isArray(found) || found.length !== values.length || !found.every(isOfKind)) return values;
    openTab(tab.split("-")[0]);
    return found;
  }

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

  // A button of a group of openers shows and hides what it names, and hides the others.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".openers button[aria-controls]");
    if (!button) return;
    const opens = button.getAttribute("aria-expanded") !== "true";
    const group = button.closest(".openers");
    for (const other of group.querySelectorAll("button[aria-controls]")) {
      const shown = opens && other === button;
      other.setAttribute("aria-expanded", String(shown));
      group.querySelector(`#${CSS.escape(other.getAttribute("aria-controls"))}`).hidden = !shown;
    }
  });

  // A button in the head of a table sorts its bodies by number; a second click turns the order.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-sort]");
    if (!button) return;
    const head = button.closest("th");
    const table = head.closest("table");
    const descends = head.getAttribute("aria-sort") !== "descending";
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descends ? "descending" : "ascending");
    const value = (body) => Number(body.dataset[button.dataset.sort]);
    const bodies = [...table.tBodies].sort((a, b) => (descends ? value(b) - value(a) : value(a) - value(b)));
    table.append(...bodies);
  });

  // A mark that is pointed at or has the focus lights what shares its longest n-gram.
  function light(event, isOn) {
    const mark = event.target.closest?.("mark[data-links]");
    if (!mark) return;
    const links = mark.dataset.links.split(" ");
    for (const other of mark.closest(".pair").querySelectorAll("[data-ids]")) {
      const shares = other.dataset.ids.split(" ").some((id) => id && links.includes(id));
      other.classList.toggle("linked", isOn && shares);
    }
  }
  for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, (event) => light(event, true));
  for (const kind of ["mouseout", "focusout"]) document.addEventListener(kind, (event) => light(event, false));

  // Every text box writes in the direction of its text; Gradio sets another.
  new MutationObserver(() => {
    for (const box of document.querySelectorAll("textarea:not([dir=auto])")) box.dir = "auto";
  }).observe(document.documentElement, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["dir"],
  });

  return { start, change, finish, fail, link, openTab, restore, save };
})();
