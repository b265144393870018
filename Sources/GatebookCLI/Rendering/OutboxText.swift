/// What waits for servers, in words.
enum OutboxText {
  /// `1 message is waiting`, `2 messages are waiting`.
  static func deliveries(_ count: Int) -> String {
    count == 1 ? "1 message is waiting" : "\(count) messages are waiting"
  }
}
