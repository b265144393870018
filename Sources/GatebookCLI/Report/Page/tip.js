// What is told beside the pointer or the focus. Texts only: nothing of it is ever markup.
class Tip {
  constructor(element) {
    this.element = element;
  }

  show(text, x, y) {
    this.element.textContent = text;
    this.element.hidden = false;
    const { width, height } = this.element.getBoundingClientRect();
    const left = x + 16 + width > innerWidth ? x - 16 - width : x + 16;
    const top = y + 18 + height > innerHeight ? y - 12 - height : y + 18;
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }

  // The titles of a picture, beside the pointer instead of late and small.
  serve(elements) {
    for (const element of elements) {
      const title = element.querySelector("title");
      const text = title.textContent;
      title.remove();
      element.setAttribute("aria-label", text);
      element.addEventListener("pointermove", (event) => this.show(text, event.clientX, event.clientY));
      element.addEventListener("pointerleave", () => this.hide());
    }
  }
}
