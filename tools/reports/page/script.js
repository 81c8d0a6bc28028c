// The page's own behaviour: one deployment at a time, charts when they come into sight, tables that sort.
(() => {
  "use strict";
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.documentElement;

  const isDark = () => {
    const chosen = root.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const label = () => { document.querySelector("#theme").textContent = isDark() ? "Light" : "Dark"; };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);

  const start = () => {
    const articles = all("article.deployment");

    // Charts

    const filled = (part, words) => {
      if (typeof part === "string") {
        return Object.entries(words).reduce((text, [name, value]) => text.replaceAll(name, value), part);
      }
      if (Array.isArray(part)) return part.map((each) => filled(each, words));
      if (part === null || typeof part !== "object") return part;
      return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, filled(value, words)]));
    };

    const named = (fields) => (row) => Object.fromEntries(fields.map((field, at) => [field, row[at]]));
    const draw = async (figure, label) => {
      const place = figure.querySelector(".plot");
      figure.given ??= JSON.parse(place.querySelector("script").textContent);
      const { spec, fields, rows, choices } = figure.given;
      const wanted = label ?? Object.keys(choices)[0];
      const whole = { ...filled(spec, wanted ? choices[wanted] : {}), data: { values: rows.map(named(fields)) } };
      figure.shown?.finalize();
      figure.shown = await vegaEmbed(place, whole, {
        actions: false, renderer: "svg", ast: true, mode: "vega-lite",
        tooltip: { theme: "custom", offsetX: 12, offsetY: 12 },
      });
      figure.shown.view.addEventListener("click", (_, item) => {
        if (item?.datum?.at !== undefined) choose(articles[item.datum.at], true);
      });
      figure.dataset.drawn = wanted ?? "";
    };

    const drawn = new WeakSet();
    const begin = (figure) => {
      if (drawn.has(figure) || typeof vegaEmbed === "undefined") return Promise.resolve();
      drawn.add(figure);
      return draw(figure);
    };

    const inSight = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) begin(entry.target);
    }, { rootMargin: "300px" });
    const figures = all("figure.live");
    figures.forEach((figure) => inSight.observe(figure));
    for (const figure of figures) {
      const buttons = all(".choices button", figure);
      for (const button of buttons) {
        button.addEventListener("click", () => {
          buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
          drawn.add(figure);
          draw(figure, button.textContent);
        });
      }
    }
    const visible = () => figures.filter((figure) => figure.offsetParent !== null);
    const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 200));
    const drawRest = () => idle(async () => {
      for (const figure of visible()) await begin(figure);
      root.dataset.ready = "yes";
    });

    // Deployments

    const axes = all(".switch select");
    const contents = document.querySelector(".contents");
    const link = (heading) => {
      const made = document.createElement("a");
      made.href = `#${heading.id}`;
      made.textContent = heading.textContent;
      return made;
    };
    for (const article of articles) {
      all("h2", article).forEach((heading, at) => { heading.id = `${article.id}-${at}`; });
    }
    const reading = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        const heading = entry.target.querySelector("h2");
        for (const each of all("a", contents)) {
          each.toggleAttribute("aria-current", each.getAttribute("href") === `#${heading?.id}`);
        }
      }
    }, { rootMargin: "-25% 0px -70% 0px" });
    all("article.deployment section").forEach((section) => reading.observe(section));
    const show = (article, scroll = false) => {
      contents.replaceChildren(...all("h2", article).map(link));
      for (const each of articles) each.hidden = each !== article;
      for (const axis of axes) axis.value = article.dataset[axis.name];
      for (const row of all("[data-at]")) {
        row.toggleAttribute("data-shown", row.dataset.at === article.dataset.at);
      }
      window.dispatchEvent(new Event("resize"));
      drawRest();
      if (scroll) {
        article.scrollIntoView({ block: "start" });
        const heading = article.querySelector("h1, h2");
        heading.tabIndex = -1; // so that reading and the tab key go on from here
        heading.focus({ preventScroll: true });
      }
    };
    const choose = (article, scroll) => {
      history.replaceState(null, "", `#${article.id}`);
      show(article, scroll);
    };
    const nearest = (changed) => {
      const agreeing = (article) => axes.filter((axis) => article.dataset[axis.name] === axis.value).length;
      return articles
        .filter((article) => article.dataset[changed.name] === changed.value)
        .sort((one, other) => agreeing(other) - agreeing(one))[0];
    };
    for (const axis of axes) axis.addEventListener("change", () => choose(nearest(axis)));
    for (const link of all("a[data-at]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        choose(articles[Number(link.dataset.at)], true);
      });
    }

    // Tables

    const order = (cell) => (cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v));
    const compare = (one, other) => {
      if (typeof one === typeof other) {
        return typeof one === "number" ? one - other : one.localeCompare(other, undefined, { numeric: true });
      }
      return typeof one === "number" ? -1 : 1; // what is not known comes last
    };
    const sort = (table, at, title) => {
      const up = title.getAttribute("aria-sort") !== "ascending";
      all("th", table).forEach((each) => each.removeAttribute("aria-sort"));
      title.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = all("tbody > tr", table).map((row) => [order(row.cells[at]), row]);
      const known = rows.filter(([value]) => typeof value === "number" || value !== "unknown");
      const unknown = rows.filter(([value]) => value === "unknown");
      known.sort(([one], [other]) => (up ? compare(one, other) : compare(other, one)));
      table.tBodies[0].append(...[...known, ...unknown].map(([, row]) => row));
    };
    const csv = (table) => all("tr", table).map((row) => [...row.cells].map((cell) => {
      const text = cell.textContent.trim();
      const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
      return `"${safe.replaceAll('"', '""')}"`;
    }).join(",")).join("\r\n");
    const save = (table) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(["\ufeff", csv(table)], { type: "text/csv" }));
      link.download = `${table.closest("[data-chart]")?.dataset.chart ?? "table"}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    const tools = (table) => {
      const box = document.createElement("div");
      box.className = "tools";
      const filter = document.createElement("input");
      filter.type = "search";
      filter.placeholder = "Filter rows";
      filter.setAttribute("aria-label", "Filter rows");
      filter.addEventListener("input", () => {
        const wanted = filter.value.toLowerCase();
        for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      });
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "CSV";
      button.addEventListener("click", () => save(table));
      box.append(filter, button);
      return box;
    };
    for (const table of all("table")) {
      const rows = table.tBodies[0]?.rows.length ?? 0;
      if (rows < 3) continue;
      all("thead th", table).forEach((title, at) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "sort";
        button.append(...title.childNodes);
        title.append(button);
        button.addEventListener("click", () => sort(table, at, title));
      });
      const columns = table.tHead?.rows[0]?.cells.length ?? 0;
      if (rows > 8 && columns > 2) table.closest(".scroll").before(tools(table));
    }

    // Theme and printing

    const theme = document.querySelector("#theme");
    theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
    document.querySelector("#print").addEventListener("click", async () => {
      await Promise.all(visible().map(begin));
      window.print();
    });
    label();

    document.querySelector(".controls").hidden = false;
    const [wanted] = location.hash.slice(1).split("-"); // #d2 is a deployment, #d2-3 a section of it
    show(articles.find((article) => article.id === wanted) ?? articles[0]);
    if (location.hash.includes("-")) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  };

  start();
  document.addEventListener("content", start); // it was made anew
})();
