extension Conversation {
  /// A reply, and what it says of the session where a credential could tell.
  struct Exchanged: Sendable {
    /// The request as it was sent.
    let sent: HTTPRequest
    let reply: HTTPReply
    let verdict: SessionVerdict?

    /// What it has shown and given of credentials; what an app says in a body or a query is none.
    var credentials: SentSecrets {
      var sentSecrets = SentSecrets()
      let url = HTTPURL(sent.url.withoutQuery) ?? sent.url
      sentSecrets.note(HTTPRequest(sent.method, url, fields: sent.fields), reply)
      return sentSecrets
    }
  }
}
