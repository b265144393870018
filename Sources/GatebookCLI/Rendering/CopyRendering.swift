internal import Gatebook
internal import GatebookSystem

/// A copy of the book as `backup`, `erase` and `doctor` print it.
struct CopyRendering {
  private let copy: BookCopy

  init(_ copy: BookCopy) {
    self.copy = copy
  }

  /// The documented object.
  var json: JSON {
    .present([
      "id": .text(copy.id.description),
      "kind": copy.kind.map { .text($0.rawValue) },
      "at": .time(copy.at),
      "place": copy.place.json(JSON.text),
      "events": copy.events.map(JSON.integer),
      "there": isThere.map(JSON.bool),
    ])
  }

  /// One line for people.
  func text(_ times: TimeText) -> String {
    let kind = copy.kind?.rawValue ?? "copy"
    let state =
      switch isThere {
      case false?: "; the file no longer exists"
      case _ where draft != nil: "; it was not finished and left \(draft ?? "")"
      case _ where copy.events == nil && copy.kind == .backup:
        // A copy of the book knows itself as begun: it was made before its end could be recorded.
        "; its end is not recorded here: either this book was restored from it, or it was not finished"
      case _ where copy.events == nil: "; it was not finished"
      default: ""
      }
    return Printable.text("\(copy.place.text) (\(kind) of \(times.text(copy.at))\(state))")
  }

  /// What a process that was killed has left beside its place, with the same keys.
  private var draft: String? {
    guard copy.events == nil, let place = copy.place.value else { return nil }
    return Files.exists(place + "-draft") ? place + "-draft" : nil
  }

  /// Whether a file exists at its place, or a draft beside it; `nil` if the place is encrypted.
  ///
  /// A disk that is not there now may have it all the same.
  var isThere: Bool? {
    guard let place = copy.place.value else { return nil }
    return Files.exists(place) || draft != nil
  }
}
