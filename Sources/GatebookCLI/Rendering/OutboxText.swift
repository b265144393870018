/// What waits for servers, in words.
enum OutboxText {
  /// `1 delivery waits`, `2 deliveries wait`.
  static func deliveries(_ count: Int) -> String {
    count == 1 ? "1 delivery waits" : "\(count) deliveries wait"
  }
}
