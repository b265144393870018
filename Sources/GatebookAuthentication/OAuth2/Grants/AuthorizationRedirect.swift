internal import GatebookEvents

/// What came back from the authorisation page (RFC 6749 section 4.1.2).
enum AuthorizationRedirect {
  private static let settings = [
    "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_response_type",
  ]

  /// The code.
  ///
  /// - Throws: `challenge.cancelled` when the person or the server denied, `configuration.invalid`,
  ///   `server.unavailable` or `server.refused` for the other errors of section 4.1.2.1,
  ///   `content.unexpected` without a code.
  static func code(in fields: FormFields) throws(GatebookError) -> String {
    if let error = fields["error"] { throw failure(error) }
    guard let code = fields["code"], !code.isEmpty else {
      throw GatebookError(
        .contentUnexpected, "The redirect contains neither a code nor an error.",
        kept: GatebookError.keptSessions, remedy: "Log in again.")
    }
    return code
  }

  private static func failure(_ error: String) -> GatebookError {
    switch error {
    case "access_denied":
      GatebookError(
        .challengeCancelled, FailureCode.deniedOnPage.asSentence,
        kept: GatebookError.keptSessions, remedy: "Log in again and agree.", serverCode: error)
    case "server_error", "temporarily_unavailable":
      GatebookError(
        .serverUnavailable, "The server is overloaded or failing.",
        kept: GatebookError.keptSessions,
        remedy: "Try again later.", serverCode: error)
    case _ where settings.contains(error):
      GatebookError(
        .configurationInvalid, "The server rejected the request to its login page.",
        kept: GatebookError.keptSessions,
        remedy: "Check the client ID, the scopes and the redirect URI.", serverCode: error)
    default:
      GatebookError(
        .serverRefused, "The server's login page ended with an error.",
        kept: GatebookError.keptSessions, remedy: "Ask the server's administrator.",
        serverCode: error)
    }
  }
}
