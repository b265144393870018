import GatebookSystem

/// What a person reads on a page of the theme `default`.
struct ShownPage: Sendable {
  let html: String

  var heading: String { text("<h1>([^<]*)</h1>") ?? "" }
  var server: String { text("<p class=\"server\"><bdi>([^<]*)</bdi>") ?? "" }
  var code: String { text("<p class=\"code\"><span>[^<]*</span> <bdi>([^<]*)</bdi>") ?? "" }
  var screen: String { text("name=\"screen\" value=\"([0-9]*)\"") ?? "" }
  var notice: String { text("<p class=\"message\" role=\"status\">([^<]*)</p>") ?? "" }
  /// The sentence of the alert.
  var alert: String {
    text("role=\"alert\">[ \n]*(<details><summary>|<p>)([^<]*)<", group: 2) ?? ""
  }
  var detail: String { text("<p class=\"detail\"[^>]*>([^<]*)</p>") ?? "" }
  var hasForm: Bool { html.contains("<form") }

  /// What the field of a name has filled in; `nil` without such a field.
  func value(_ name: String) -> String? {
    input(name).map { Self.first("value=\"([^\"]*)\"", in: $0).map(Self.unescaped) ?? "" }
  }

  /// Whether the switch of a name is on.
  func isOn(_ name: String) -> Bool { input(name)?.contains(" checked") == true }

  /// What is wrong with the field of a name.
  func error(_ name: String) -> String {
    text("<p class=\"error\" id=\"field-\(name)-error\">([^<]*)</p>") ?? ""
  }

  /// The name of the field that has the focus.
  var focused: String? {
    Pattern("<input[^>]*>").matches(in: html).map { String($0.whole) }
      .first { $0.contains(" autofocus") }.flatMap { Self.first("name=\"([^\"]*)\"", in: $0) }
  }

  /// The value of the button that has the focus.
  var focusedButton: String? {
    text("<button[^>]* name=\"button\" value=\"([^\"]*)\"[^>]* autofocus>")
  }

  /// The names and values that a button of the form has.
  var buttons: [String] {
    Pattern("<button[^>]* name=\"button\" value=\"([^\"]*)\"").matches(in: html).map {
      String($0[1] ?? "")
    }
  }

  /// The values of the buttons that choose an account, with the name that each shows.
  var accounts: [(id: String, name: String)] {
    Pattern(
      "<button class=\"account\" name=\"account\" value=\"([^\"]*)\">([^<]|<[^/]|</[^b])*"
        + "<bdi class=\"name\">([^<]*)</bdi>"
    ).matches(in: html).map { match in
      (String(match[1] ?? ""), Self.unescaped(String(match[3] ?? "")))
    }
  }

  /// The facts by their names.
  var facts: [String: String] {
    let pairs = Pattern("<dt>([^<]*)</dt><dd><bdi>([^<]*)</bdi>").matches(in: html).map {
      (Self.unescaped(String($0[1] ?? "")), Self.unescaped(String($0[2] ?? "")))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private func input(_ name: String) -> String? {
    Pattern("<input[^>]* name=\"\(name)\"[^>]*>").match(in: html).map { String($0.whole) }
  }

  private func text(_ pattern: String, group: Int = 1) -> String? {
    Self.first(pattern, in: html, group: group).map(Self.unescaped)
  }

  private static func first(_ pattern: String, in text: String, group: Int = 1) -> String? {
    Pattern(pattern).match(in: text)?[group].map { String($0) }
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
