import Gatebook
import GatebookTestSupport

/// A scripted portal with OAuth 2 by redirect: takes each code once.
final class RedirectServer: Sendable {
  private let used = TestBox<[String]>([])
  let transport: ScriptedTransport

  init() {
    transport = ScriptedTransport { [used] request, _ throws(TransportFailure) in
      let body = FormFields(decoding: request.body) ?? FormFields()
      if request.url.path.hasSuffix("/token") {
        let code = body["code"] ?? ""
        guard code.hasPrefix("code-"), !used.value.contains(code) else {
          return HTTPReply(status: 400, body: Array("{\"error\":\"invalid_grant\"}".utf8))
        }
        used.value.append(code)
        return HTTPReply(
          status: 200,
          body: Array(
            ("{\"access_token\":\"token-of-\(code)\",\"token_type\":\"Bearer\",\"expires_in\":600,"
              + "\"refresh_token\":\"refresh-of-\(code)\"}").utf8))
      }
      let bearer = request.fields.first("Authorization") ?? ""
      let user = bearer.hasSuffix("bob") ? 2 : 1
      return HTTPReply(
        status: 200,
        body: Array(
          ("[{\"userId\":\"\(user)\",\"companyId\":\"7\","
            + "\"emailAddress\":\"user\(user)@example.test\"}]").utf8))
    }
  }
}

extension LoginMethod {
  /// The portal of `RedirectServer`.
  static func redirect(to uri: String = "com.example.app:/callback") throws -> LoginMethod {
    guard let server = HTTPURL("https://portal.example.test") else {
      throw GatebookError(.configurationInvalid, "No URL.", remedy: "Mend the test.")
    }
    return .liferay(
      LiferayPortal(server: server, companyID: 7),
      .oauth2Redirect(clientID: "client", redirectURI: uri))
  }
}
