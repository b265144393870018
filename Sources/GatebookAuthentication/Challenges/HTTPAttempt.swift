/// One request as an authorizer sent it, to be handed in again with its reply.
package struct HTTPAttempt: Sendable {
  /// What the request answered a challenge with.
  enum Answer: Sendable {
    case basic
    case digest(DigestAnswer)
  }

  /// The request as it is sent.
  package let request: HTTPRequest
  /// `nil` for a request without credentials.
  let answer: Answer?
  /// How often it was sent again because its nonce was too old.
  let staleNonces: Int

  /// A request that somebody sent without the authorizer: its challenge may be answered too.
  package init(unanswered request: HTTPRequest) {
    self.init(request)
  }

  init(_ request: HTTPRequest, answer: Answer? = nil, staleNonces: Int = 0) {
    self.request = request
    self.answer = answer
    self.staleNonces = staleNonces
  }

  /// Whether the request is sent again with a new nonce alone: nobody is asked for that.
  package var hasNewNonce: Bool { staleNonces > 0 }

  /// Whether no new nonce can be asked for: the request carries a name and a password.
  package var isFinal: Bool { if case .basic = answer { true } else { false } }

  /// Whether the request carries credentials of the authorizer.
  package var isAnswer: Bool { answer != nil }
}
