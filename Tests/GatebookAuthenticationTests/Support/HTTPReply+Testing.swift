internal import GatebookAuthentication

extension HTTPReply {
  /// An answer with a text as its body.
  static func answer(
    _ status: Int, _ fields: KeyValuePairs<String, String> = [:], body: String = ""
  ) -> HTTPReply {
    HTTPReply(
      status: status, fields: fields.map { HTTPField($0.key, $0.value) }, body: Array(body.utf8))
  }

  /// A redirect, with cookies.
  static func redirect(
    to location: String, status: Int = 302, cookies: [String] = []
  ) -> HTTPReply {
    HTTPReply(
      status: status,
      fields: [HTTPField("Location", location)] + cookies.map { HTTPField("Set-Cookie", $0) })
  }

  /// A JSON answer.
  static func json(_ status: Int = 200, _ body: String) -> HTTPReply {
    answer(status, ["Content-Type": "application/json;charset=UTF-8"], body: body)
  }

  /// A web page.
  static func page(
    _ status: Int = 200, _ body: String = "<html></html>", cookies: [String] = []
  ) -> HTTPReply {
    HTTPReply(
      status: status, fields: cookies.map { HTTPField("Set-Cookie", $0) }, body: Array(body.utf8))
  }
}
