internal import Gatebook

/// What AWS takes as the token of a web identity (`AssumeRoleWithWebIdentity`): a signed JSON Web
/// Token that says whose it is and whom it is for.
///
/// The signature is AWS's affair: only AWS knows which provider the role trusts.
enum WebIdentity {
  /// The claims without which AWS refuses a token (RFC 7519 section 4.1).
  private static let claims = ["iss", "sub", "aud", "exp"]

  /// Refuses a token that AWS would refuse whatever the role says.
  ///
  /// - Throws: `configuration.invalid`, without a word of the token.
  static func check(_ token: String) throws(GatebookError) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    // Five parts are an encrypted one (RFC 7516 section 3.1), which AWS cannot read.
    guard parts.count == 3, let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
      let header = object(parts[0]), header["alg"]?.text != nil, let claims = object(parts[1])
    else {
      throw refusal("The access token is not a signed JSON Web Token (JWT).")
    }
    let missing = Self.claims.filter { (claims[$0] ?? .null) == .null }
    guard missing.isEmpty else {
      let names = missing.map { "`\($0)`" }.joined(separator: ", ")
      throw refusal("The access token is a JSON Web Token (JWT) without \(names).")
    }
  }

  private static func object(_ part: Substring) -> Facts? {
    Base64URL.decode(part).flatMap { JSONDocument.read($0)?.object }
  }

  private static func refusal(_ message: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "\(message) AWS accepts nothing else as a web identity.",
      kept: "The session is kept, and nothing was printed.",
      remedy:
        "At the server, set this client's access tokens to signed JWTs with `iss`, `sub`, `aud` "
        + "and `exp`. Then log in again. In IAM the server must be an OpenID Connect provider, "
        + "with the token's `aud` as audience.")
  }
}
