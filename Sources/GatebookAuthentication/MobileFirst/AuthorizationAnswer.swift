internal import GatebookEvents

/// What the authorization endpoint answered: a code or a refusal, in a redirect that is not followed
/// (section 6.3), or in the body as to a web client.
enum AuthorizationAnswer {
  case code(String)
  case refused(String?)
  case other

  init(_ reply: HTTPReply) {
    switch reply.status {
    case 302, 303:
      guard let location = reply.fields.first("Location"), let url = HTTPURL(location),
        url.origin.scheme == "https", url.origin.host == "mfpredirecturi"
      else {
        self = .other
        return
      }
      let query = FormFields(decoding: (url.query ?? "").utf8)
      self.init(["code": .optional(query?["code"]), "error": .optional(query?["error"])])
    case 200:
      self = JSONDocument.read(reply.body)?.object.map { AuthorizationAnswer($0) } ?? .other
    default: self = .other
    }
  }

  private init(_ facts: Facts) {
    if let code = facts["code"]?.text, !code.isEmpty {
      self = .code(code)
    } else if let error = facts["error"]?.text {
      self = .refused(error)
    } else {
      self = .other
    }
  }
}
