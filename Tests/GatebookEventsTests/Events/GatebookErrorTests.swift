import GatebookEvents
import Testing

@Suite struct GatebookErrorTests {
  @Test func `errors are equal when their codes are`() {
    let error = GatebookError(.storageFull, "The disk is full.", remedy: "Free space.")
    #expect(error == GatebookError(.storageFull, "Another text.", remedy: "", cause: "28"))
    #expect(error != GatebookError(.storageBusy, "The disk is full.", remedy: "Free space."))
  }

  @Test func `one line says what happened, why, what was kept and what to do`() {
    let error = GatebookError(
      .keyWrong, "The key is not this book's.", kept: "The book was not changed.",
      remedy: "Give the book's own key.", cause: "detail")
    #expect(
      error.description == """
        key.wrong: The key is not this book's. (detail) The book was not changed. \
        Give the book's own key.
        """)
  }

  @Test func `a code that is not known is kept`() {
    #expect(FailureCode(rawValue: "quantum.collapsed").description == "quantum.collapsed")
    #expect(FailureCode(rawValue: "storage.full") == .storageFull)
  }

  @Test(arguments: [
    ("a", true, true), ("az09_.-", true, true), ("AZ", false, true), ("JSESSIONID", false, true),
    ("", false, false), ("a b", false, false), ("a/b", false, false), ("ä", false, false),
    ("a@b.c", false, false), ("\u{212A}", false, false),
    (String(repeating: "a", count: 64), true, true),
    (String(repeating: "a", count: 65), false, false),
  ])
  func `only codes and plain names may be in the clear`(
    _ text: String, _ isCode: Bool, _ isPlain: Bool
  ) {
    #expect(GatebookError.isErrorCode(text) == isCode)
    #expect(GatebookError.isPlainName(text) == isPlain)
  }
}
