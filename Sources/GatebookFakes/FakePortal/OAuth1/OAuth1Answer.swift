/// What the token routes of OAuth 1.0a answer: pairs in the form encoding.
enum OAuth1Answer {
  /// The answer.
  static func reply(_ pairs: KeyValuePairs<String, String>) -> LoopbackReply {
    let text = pairs.map { "\($0.key)=\(PercentText.encode($0.value))" }.joined(separator: "&")
    return .text(
      text, type: "application/x-www-form-urlencoded", fields: ["Cache-Control": "no-store"])
  }
}
