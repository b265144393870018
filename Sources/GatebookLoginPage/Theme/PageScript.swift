/// The page's own script, which it does not need.
///
/// It sends each form once, and leaves one entry in the window's history. A button after each
/// password field shows what was typed. In the end it closes the window where the browser permits
/// that.
enum PageScript {
  /// The script.
  static let text = """
    (() => {
      "use strict";
      const is = (name) => document.querySelector(`meta[name=gatebook-${name}]`);
      const headers = { Prefer: "return=minimal" };
      const look = () => location.replace(location.pathname);
      const word = (name) => is(name)?.content ?? "";
      const hidden = [];
      for (const field of document.querySelectorAll("input[type=password]")) {
        const button = document.createElement("button");
        const label = field.labels[0]?.textContent ?? "";
        const show = (isShown) => {
          const { selectionStart, selectionEnd, selectionDirection } = field;
          field.type = isShown ? "text" : "password";
          field.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
          button.textContent = word(isShown ? "hide" : "show");
          button.setAttribute("aria-label", `${button.textContent}: ${label}`);
        };
        button.type = "button";
        button.className = "reveal";
        button.setAttribute("aria-controls", field.id);
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("click", () => show(field.type === "password"));
        show(false);
        field.after(button);
        hidden.push(() => show(false));
      }
      let sent = false;
      document.addEventListener("submit", async (event) => {
        for (const hide of hidden) hide();
        const body = new URLSearchParams(new FormData(event.target, event.submitter));
        event.preventDefault();
        if (sent) return;
        sent = true;
        document.body.setAttribute("aria-busy", "true");
        try {
          await fetch(location.pathname, { method: "POST", body, headers });
        } finally {
          look();
        }
      });
      if (is("busy")) fetch(`${location.pathname}?wait`, { headers }).then(look, () => setTimeout(look, 2000));
      addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
      if (is("done") && history.length === 1) setTimeout(() => close(), 3000);
    })();
    """
}
