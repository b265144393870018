/// What is counted: a kind of event in the whole book, on a day, or in a stream.
struct TallyKey: Hashable {
  static let book: Int64 = 0
  static let day: Int64 = 1
  static let account: Int64 = 2

  /// Which of the three.
  let part: Int64
  /// Which day or stream; 0 for the whole book.
  let number: Int64
  let kind: Int64
}
