// Uses a page as a person would: clicks in every panel, keys, zooming, choosing, and an address that is followed.
// It runs inside of the page, behind its scripts; `errors` was put in front of them. What it found is an attribute of the root element.

(async () => {
  const clicks = {};
  const panels = {};
  // Pointers that are made up cannot be captured.
  Element.prototype.setPointerCapture = () => {};
  const pause = () => new Promise((done) => setTimeout(done, 1));
  const click = (node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const key = (node, name) => node.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const must = (holds, what) => { if (!holds) errors.push(`expected: ${what}`); };

  /** Clicks up to so many of what a panel has; it may draw itself anew each time. */
  const clickAll = async (section, selector, most) => {
    for (let at = 0; at < most; at += 1) {
      const node = section.querySelectorAll(selector)[at];
      if (!node) break;
      node.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 200, clientY: 200 }));
      click(node);
      clicks[section.id] = (clicks[section.id] || 0) + 1;
      await pause();
    }
  };

  try {
    for (const section of document.querySelectorAll("main > section")) {
      if (section.hidden) continue;
      await clickAll(section, ".link, [role=option]", 30);
      await clickAll(section, "button", 30);
      await clickAll(section, ".ln", 12);
      await clickAll(section, "summary", 4);
      for (const select of section.querySelectorAll("select")) {
        select.selectedIndex = select.options.length - 1;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        await pause();
      }
      panels[section.id] = section.textContent.trim().length;
    }
    for (const chip of [...document.querySelectorAll("#chips button")]) click(chip);

    const river = () => document.querySelector("#river-plot svg");
    if (river() && DATA.river.columns > 0) {
      const box = river().getBoundingClientRect();
      const pointer = (name, share) => river().dispatchEvent(new PointerEvent(name, { bubbles: true, button: 0, pointerId: 1, clientX: box.left + box.width * share, clientY: box.top + 30 }));
      pointer("pointermove", 0.4);
      must(!document.getElementById("tip").hidden, "figures where the pointer is");
      ["pointerdown", "pointermove", "pointerup"].forEach((name, at) => pointer(name, 0.4 + at * 0.1));
      must(location.hash.includes("time="), "a drag zooms, and the address has it");
      key(document.body, "Escape");
      must(!location.hash.includes("time="), "Escape shows all time");
      river().focus();
      ["ArrowDown", "ArrowRight", "+", "-", "Enter", "0"].forEach((name) => key(river(), name));
      must(document.activeElement === river(), "the focus stays in the river");
      must(location.hash.includes("function="), "Enter chooses the lane");
    }
    const list = document.getElementById("decisions-list");
    ["ArrowDown", "ArrowDown", "ArrowUp", "End", "Home"].forEach((name) => key(list, name));
    const slider = document.querySelector("#decisions-detail input[type=range]");
    if (slider) {
      const before = document.querySelector("#decisions-detail .sum").textContent;
      slider.value = 8;
      slider.dispatchEvent(new Event("input"));
      must(document.querySelector("#decisions-detail .candidate .sum").textContent !== before, "the slider changes sums");
    }
    const frame = document.querySelector("#stacks-plot [data-node]");
    if (frame) ["ArrowDown", "ArrowRight", "ArrowUp", "Enter"].forEach((name) => key(document.querySelector("#stacks-plot [data-node]"), name));
    click(document.getElementById("theme"));
    click(document.getElementById("theme"));

    // An address chooses the same as clicks do, in all panels.
    if (DATA.functions.length) {
      const last = DATA.functions.length - 1;
      location.hash = `#function=${encodeURIComponent(DATA.functions[last].label)}&line=${encodeURIComponent(`${DATA.functions[last].file}:${DATA.functions[last].line}`)}`;
      for (let at = 0; at < 50; at += 1) await pause();
      must(document.querySelectorAll("#chips button").length === 2, "an address chooses a function and a line");
      must(!DATA.sources.length || document.querySelector("#code-panes .ln.kept"), "the line is marked in its source");
    }
    location.hash = "#function=no%20such&version=%&path=999999&time=9-1";
    for (let at = 0; at < 50; at += 1) await pause();
    must(document.querySelectorAll("#chips button").length === 0, "an address that names nothing chooses nothing");
    must(document.documentElement.scrollWidth <= innerWidth + 1, `nothing is wider than the window: ${document.documentElement.scrollWidth} of ${innerWidth}`);
  } catch (error) {
    errors.push(String(error.stack || error));
  }
  document.documentElement.dataset.result = JSON.stringify({ errors, clicks, panels });
})();
