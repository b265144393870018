/// The user name beside a token in the place of a password: each server has its own.
struct TokenUser: Sendable {
  static let option = CommandOption.value(
    "--token-user", "NAME",
    "the user name to send with an access token in the place of a password: oauth2 for GitLab, "
      + "x-access-token for GitHub, x-token-auth for Bitbucket Cloud (\(usual))")
  private static let usual = "oauth2"
  /// Names that no person has, and that programs may name where a URL has one.
  private static let known: Set<String> = [usual, "x-access-token", "x-token-auth", "__token__"]

  private let given: String?

  init(_ arguments: Arguments) {
    given = arguments[Self.option]
  }

  /// Whether a name means a token, and no person.
  func means(_ name: String) -> Bool {
    name == given || Self.known.contains(name)
  }

  /// The name beside a token.
  ///
  /// - Parameter asked: The name that the program asked for; `nil` for none.
  /// - Returns: That name where it means a token, else the one that was given, else the usual one.
  func name(for asked: String?) -> String {
    if let asked, means(asked) { return asked }
    return given ?? Self.usual
  }
}
