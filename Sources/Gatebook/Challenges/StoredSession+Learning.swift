extension StoredSession {
  /// The session with what was given in a conversation.
  func learning(from conversation: Conversation) -> StoredSession {
    var stored = self
    stored.given = given.adding(conversation.given)
    return stored
  }
}
