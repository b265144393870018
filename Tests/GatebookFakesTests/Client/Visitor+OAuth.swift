@testable import GatebookFakes

/// What the OAuth tests ask for.
extension Visitor {
  typealias Pairs = KeyValuePairs<String, String>

  static func form(_ pairs: Pairs) -> String {
    pairs.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
  }

  /// Posts a form, with Basic when a name and a password are given.
  func post(
    _ path: String, _ pairs: Pairs, basic: (name: String, password: String)? = nil
  )
    -> Answer?
  {
    var fields = [("Content-Type", "application/x-www-form-urlencoded")]
    if let basic {
      fields.append(("Authorization", "Basic \(Self.base64("\(basic.name):\(basic.password)"))"))
    }
    return ask("POST", path, fields, body: Self.form(pairs))
  }

  /// Sends a JSON-WS call with this `Authorization`.
  func call(_ body: String, authorization: String) -> Answer? {
    ask(
      "POST", "/api/jsonws/invoke",
      [("Content-Type", "application/json"), ("Authorization", authorization)], body: body)
  }

  /// Answers the question on a page as its form wants it.
  func decide(_ page: Answer?, _ decision: String, at path: String) -> Answer? {
    let text = page?.text ?? ""
    let number = text.firstRange(of: "name=\"consent\" value=\"")
      .map { String(text[$0.upperBound...].prefix { $0 != "\"" }) }
    return post(
      path, ["p_auth": token ?? "", "consent": number ?? "", "decision": decision])
  }
}

extension Answer {
  /// A text of a JSON object.
  func member(_ name: String) -> String? {
    PlainJSON.read(body)?[name]?.string
  }

  /// A parameter of the URL that the answer leads to, decoded.
  func sent(_ name: String) -> String? {
    self["Location"].flatMap { LoopbackRequest("GET", $0).queryValue(name) }
  }
}
