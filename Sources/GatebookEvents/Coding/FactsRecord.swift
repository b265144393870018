/// A value of the folds that is kept: as canonical JSON in a projection, packed in a snapshot of the past.
///
/// One list of its members says how it is written and how it is read, and nothing is built in between:
/// every append writes such rows, and a look into the past reads one.
package protocol FactsRecord {
  /// What reading begins with: whatever is not optional is set before anybody sees it.
  static var blank: Self { get }

  /// Names the members in ascending order of their names.
  mutating func code(with row: inout some FactsCoder)
}
