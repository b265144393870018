internal import Gatebook

/// What a report's page is made of.
struct ReportContent {
  /// The figures, the lanes and what the rules found.
  let report: BookReport
  /// The time that it tells of.
  let time: TimeSpan
  /// The book.
  let book: BookID
  /// The last event of the book that the report knows of.
  let end: Position
  /// The last event that is in an archive, and so not in the report; `.start` where none is.
  let archived: Position
  /// How many events of the book are lost.
  let lost: Int64
  /// The accounts of which no event came since that archive.
  let silent: [SessionContext]
  /// The root of the book's tree at that event, hexadecimal.
  let root: String
  /// What the accounts are called.
  let names: AccountNames
  /// The account that the report is of; `nil` for the whole book.
  let account: AccountID?
  /// When it is made.
  let made: Timestamp
  /// Writes times for people.
  let times: TimeText
  /// How far the zone of those times is ahead of UTC.
  let zone: TimeZoneRule

  /// Which events of the book it tells of.
  var filter: EventFilter {
    EventFilter(account: account, since: time.start, until: time.end)
  }

  /// The last moment of its time.
  var last: Timestamp { time.end(before: made).map { $0 - .microseconds(1) } ?? made }

  /// The time in words, where it is not the whole: `from ... to ...`.
  var timeText: String? {
    switch (time.start, time.end) {
    case (nil, nil): nil
    case (let since?, nil): "from \(times.text(since)) on"
    case (nil, let until?): "up to \(times.text(until))"
    case (let since?, let until?): "from \(times.text(since)) to \(times.text(until))"
    }
  }

  /// Where a moment is in the report's time: 0 to 1.
  func place(_ moment: Timestamp) -> Double {
    let length = max(1, Double(report.end.rawValue) - Double(report.start.rawValue))
    return min(max((Double(moment.rawValue) - Double(report.start.rawValue)) / length, 0), 1)
  }
}
