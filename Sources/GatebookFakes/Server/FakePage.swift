/// The HTML pages of a fake server; every one says that it is a fake.
struct FakePage: Sendable {
  /// What the server calls itself.
  let name: String
  /// What it is a fake of, such as `portal`.
  let kind: String

  /// A page.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - status: The status.
  ///   - head: More lines of its head.
  ///   - body: More lines of its body.
  /// - Returns: The answer.
  func page(
    _ text: String, status: Int = 200, head: String = "", body: String = ""
  ) -> LoopbackReply {
    .html(
      """
      <!DOCTYPE html>
      <html>
      <head>
      <title>\(name)</title>
      \(head)</head>
      <body>
      <h1>\(name)</h1>
      <p>This is not a \(kind) but a fake of one, made for tests.</p>
      <p>\(text)</p>
      \(body)</body>
      </html>

      """, status: status)
  }

  /// An error page.
  func error(_ status: Int, _ text: String) -> LoopbackReply {
    page("HTTP status \(status): \(text)", status: status)
  }
}
