/// A form of a fake portal's pages.
struct PortalForm {
  /// A field that the person fills in, or a button to press.
  struct Input {
    var kind: String
    var name: String
    var value = ""
  }

  var action: String
  var hidden: KeyValuePairs<String, String>
  var inputs: [Input]

  /// The login form.
  static func login(token: String?, redirect: String) -> PortalForm {
    PortalForm(
      action: "/c/portal/login", hidden: ["p_auth": token ?? "", "redirect": redirect],
      inputs: [
        Input(kind: "text", name: "login"), Input(kind: "password", name: "password"),
        Input(kind: "submit", name: "", value: "Log in"),
      ])
  }

  /// The form as HTML.
  var html: String {
    let all = hidden.map { Input(kind: "hidden", name: $0.key, value: $0.value) } + inputs
    let lines = all.map { input in
      let name = input.name.isEmpty ? "" : " name=\"\(Self.escaped(input.name))\""
      return "<input type=\"\(input.kind)\"\(name) value=\"\(Self.escaped(input.value))\">\n"
    }
    return "<form method=\"post\" action=\"\(Self.escaped(action))\">\n\(lines.joined())</form>\n"
  }

  /// Text that is safe in a page or between quotes.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
