package import GatebookEvents

extension BookReader {
  /// The archive of the book that has an event, if its file is where the book knows it.
  ///
  /// The places of archives are encrypted: without the book's key none is known.
  ///
  /// - Parameter position: The event.
  /// - Returns: A reader of the archive, with the same key; `nil` if it is not at hand.
  /// - Throws: `storage` failures of the book itself.
  package func archive(with position: Position) throws(GatebookError) -> BookReader? {
    let known = try copies().filter {
      $0.kind == .archive && $0.events ?? 0 >= position.rawValue
    }
    for copy in known.sorted(by: { $0.events ?? 0 < $1.events ?? 0 }) {
      guard let place = copy.place.value, let archive = try? open(archive: place),
        let extent = try? archive.extent(),
        (extent.first...extent.size).contains(position.rawValue)
      else { continue }
      return archive
    }
    return nil
  }

  /// The first event of the book's past that is at hand, in the book or in its archives, without a
  /// gap up to the book's own end.
  ///
  /// - Throws: `storage` failures of the book itself.
  package func firstAtHand() throws(GatebookError) -> Position {
    var first = try extent().first
    while first > 1, let archive = try archive(with: Position(rawValue: first - 1)) {
      first = try archive.extent().first
    }
    return Position(rawValue: first)
  }
}
