/// What people call a login method.
enum MethodName {
  /// A name for the page.
  ///
  /// - Parameters:
  ///   - method: The name in the book, such as `liferay-basic`.
  ///   - words: The language.
  /// - Returns: The name; for a method of an app that of the book.
  static func of(_ method: String, _ words: PageWords) -> String {
    switch method {
    case "form": words(.loginForm)
    case "http": "HTTP"
    case "oidc": "OpenID Connect"
    case "oauth2": "OAuth 2"
    case "oauth1": "OAuth 1.0a"
    case "mobilefirst": "MobileFirst"
    case "fcsdk": "Fusion client gateway"
    case _ where method.hasPrefix("liferay-"): "Liferay"
    default: ShownText.of(method)
    }
  }
}
