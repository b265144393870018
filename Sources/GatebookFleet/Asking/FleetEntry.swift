public import Gatebook

/// Something that a book has, and which book that is.
public struct FleetEntry<Value: Sendable>: Sendable {
  /// The history of the book.
  public let book: FleetBook
  /// What it has.
  public let value: Value
}

/// A part of a long answer.
public struct FleetPage<Value: Sendable>: Sendable {
  /// What was found, in the order of the answer.
  public internal(set) var entries: [FleetEntry<Value>] = []
  /// The histories of which something could not be read: what is there is not what a book writes.
  public internal(set) var unreadable: [FleetBook] = []
}

/// Takes a part of an answer; says whether it wants the next one.
public typealias FleetPageReader<Value: Sendable> =
  @Sendable (FleetPage<Value>) async throws(GatebookError) -> Bool
