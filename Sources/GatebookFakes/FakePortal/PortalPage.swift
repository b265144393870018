/// The HTML of a fake portal; every page says that it is a fake.
enum PortalPage {
  static let name = "Gatebook fake Liferay portal"

  /// A themed page of a session; no token leaves its line out.
  static func themed(token: String?, _ text: String, _ form: PortalForm? = nil) -> LoopbackReply {
    let script = token.map { "<script>\n\tLiferay.authToken = '\($0)';\n</script>\n" } ?? ""
    return .html(document(script, text, form))
  }

  /// An error page.
  static func error(_ status: Int, _ text: String) -> LoopbackReply {
    .html(document("", "HTTP status \(status): \(text)"), status: status)
  }

  private static func document(
    _ script: String, _ text: String, _ form: PortalForm? = nil
  ) -> String {
    """
    <!DOCTYPE html>
    <html>
    <head>
    <title>\(name)</title>
    \(script)</head>
    <body>
    <h1>\(name)</h1>
    <p>This is not a portal but a fake of one, made for tests.</p>
    <p>\(text)</p>
    \(form?.html ?? "")</body>
    </html>

    """
  }
}
