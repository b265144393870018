internal import GatebookEvents

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

/// An event as it is counted: numbers of the dictionaries, and its time.
struct RollupEvent {
  let account: Int64
  let kind: Int64
  let at: Int64

  /// Its day.
  var day: Day { Day(of: Timestamp(rawValue: at)) }

  /// Where it is counted.
  func key(in part: Int64) -> TallyKey {
    let number =
      switch part {
      case TallyKey.book: Int64(0)
      case TallyKey.day: day.rawValue
      default: account
      }
    return TallyKey(part: part, number: number, kind: kind)
  }
}

extension RollupEvent {
  /// The event in a row of these three.
  init(_ row: Statement) {
    self.init(account: row.integer(0), kind: row.integer(1), at: row.integer(2))
  }
}
