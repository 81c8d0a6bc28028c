// What a server shows: when its files have changed the page is asked for anew, and what was chosen in it stays.
(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.documentElement;

  const note = document.createElement("p");
  note.id = "live";
  note.setAttribute("role", "status");
  document.body.append(note);
  const say = (text, wrong = false) => {
    note.textContent = text;
    note.classList.toggle("wrong", wrong);
  };

  // What was chosen, by the deployment that it was chosen in and its place there

  const placed = (selector) => {
    const count = {};
    return all(selector).map((each) => {
      const within = each.closest("article")?.id ?? "";
      count[within] = (count[within] ?? 0) + 1;
      return [`${within} ${count[within]}`, each];
    });
  };
  const kept = (selector, read) => new Map(placed(selector).map(([key, each]) => [key, read(each)]));
  const again = (selector, held, set) => {
    for (const [key, each] of placed(selector)) if (held.get(key)) set(each, held.get(key));
  };
  const sorted = (table) => {
    const at = all("thead th", table).findIndex((title) => title.hasAttribute("aria-sort"));
    return at < 0 ? null : [at, all("thead th", table)[at].getAttribute("aria-sort")];
  };
  const choices = () => ({
    opened: kept("details", (each) => each.open),
    shown: kept("figure.live", (each) => each.querySelector("[aria-pressed=true]")?.textContent),
    heights: kept(".plot", (each) => each.offsetHeight),
    sorted: kept("table", sorted),
    filtered: kept("input[type=search]", (each) => each.value),
    top: scrollY,
    focus: document.activeElement?.name,
  });
  const choose = (held) => {
    again("details", held.opened, (each) => { each.open = true; });
    again(".plot", held.heights, (each, height) => { each.style.minHeight = `${height}px`; });
    again("figure.live", held.shown, (each, label) => {
      all(".choices button", each).find((button) => button.textContent === label)?.click();
    });
    again("table", held.sorted, (each, [at, order]) => {
      const title = all("thead th", each)[at];
      const button = title?.querySelector("button");
      while (button && title.getAttribute("aria-sort") !== order) button.click();
    });
    again("input[type=search]", held.filtered, (each, value) => {
      each.value = value;
      each.dispatchEvent(new Event("input"));
    });
    if (held.focus) document.querySelector(`.controls [name="${held.focus}"]`)?.focus();
    scrollTo(0, held.top);
  };

  // Asking

  const exchange = (other) => {
    const held = choices();
    all("figure.live").forEach((figure) => figure.shown?.finalize());
    other.querySelector("form.asked")?.replaceWith(document.querySelector("form.asked"));
    for (const part of [".controls", "main"]) {
      document.querySelector(part).replaceWith(other.querySelector(part));
    }
    document.title = other.title;
    root.dataset.version = other.documentElement.dataset.version;
    document.dispatchEvent(new Event("content"));
    choose(held);
  };
  const ask = async () => {
    const answer = await fetch(location.pathname + location.search);
    const other = new DOMParser().parseFromString(await answer.text(), "text/html");
    const shows = (page) => page.querySelector("article.deployment");
    if (!answer.ok && shows(document)) {
      say(`${other.querySelector("#wrong")?.textContent ?? answer.statusText} This is what it was before.`, true);
    } else if (!shows(other) || !shows(document)) {
      location.reload();
    } else {
      exchange(other);
      say(`Made anew at ${new Date().toLocaleTimeString()}`);
    }
  };

  let asking = Promise.resolve();
  const events = new EventSource(`events${location.search}`);
  events.addEventListener("message", ({ data }) => {
    if (note.classList.contains("lost")) say("");
    note.classList.remove("lost");
    if (data === (note.dataset.seen ?? root.dataset.version)) return;
    note.dataset.seen = data;
    asking = asking.then(ask).catch((error) => say(`${error}`, true));
  });
  events.addEventListener("error", () => {
    say("The server does not answer; this is what it showed last.", true);
    note.classList.add("lost");
  });
})();
