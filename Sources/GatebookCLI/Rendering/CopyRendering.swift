internal import Gatebook
internal import GatebookSystem

/// A copy of the book as `backup`, `erase` and `doctor` print it.
extension BookCopy {
  /// The documented object.
  var json: JSON {
    .present([
      "id": .text(id.description),
      "kind": kind.map { .text($0.rawValue) },
      "at": .time(at),
      "place": place.json(JSON.text),
      "events": events.map(JSON.integer),
      "there": isThere.map(JSON.bool),
    ])
  }

  /// One line for people.
  func text(_ times: TimeText) -> String {
    let kind = kind?.rawValue ?? "copy"
    let state =
      switch isThere {
      case false?: "; the file no longer exists"
      case _ where draft != nil: "; it was not finished and left \(draft ?? "")"
      case _ where events == nil && self.kind == .backup:
        // A copy of the book knows itself as begun: it was made before its end could be recorded.
        "; its end is not recorded here: either this book was restored from it, or it was not finished"
      case _ where events == nil: "; it was not finished"
      default: ""
      }
    return Printable.text("\(place.text) (\(kind) of \(times.text(at))\(state))")
  }

  /// What a process that was killed has left beside its place, with the same keys.
  private var draft: String? {
    guard events == nil, let place = place.value else { return nil }
    return Files.exists(place + "-draft") ? place + "-draft" : nil
  }

  /// Whether a file exists at its place, or a draft beside it; `nil` if the place is encrypted.
  ///
  /// A disk that is not there now may have it all the same.
  var isThere: Bool? {
    guard let place = place.value else { return nil }
    return Files.exists(place) || draft != nil
  }
}
