/// The rows of one projection by their identities, and which of them changed.
///
/// A known place reaches a row without a hash: places never change.
struct FoldRows<ID: Identity, Value: Sendable>: Sendable {
  private struct Row: Sendable {
    let id: ID
    var value: Value
    var isChanged: Bool
  }

  private var rows: [Row] = []
  private var places: [ID: Int] = [:]
  private var changedPlaces: [Int] = []

  var count: Int { rows.count }

  func place(of id: ID) -> Int? { places[id] }

  func id(at place: Int) -> ID { rows[place].id }

  /// Reads a value; changing it marks the row as changed.
  subscript(place: Int) -> Value {
    _read { yield rows[place].value }
    _modify {
      markChanged(place)
      yield &rows[place].value
    }
  }

  /// Puts a row in as it was read: it is not changed.
  ///
  /// - Returns: Its place.
  @discardableResult
  mutating func put(_ value: Value, for id: ID) -> Int {
    if let place = places[id] {
      rows[place] = Row(id: id, value: value, isChanged: rows[place].isChanged)
      return place
    }
    places[id] = rows.count
    rows.append(Row(id: id, value: value, isChanged: false))
    return rows.count - 1
  }

  mutating func markChanged(_ place: Int) {
    guard !rows[place].isChanged else { return }
    rows[place].isChanged = true
    changedPlaces.append(place)
  }

  /// The identities of the rows that changed.
  var changed: Set<ID> { Set(changedPlaces.lazy.map { rows[$0].id }) }

  mutating func forgetChanges() {
    for place in changedPlaces { rows[place].isChanged = false }
    changedPlaces.removeAll(keepingCapacity: true)
  }

  /// All values by their identities.
  var all: [ID: Value] {
    Dictionary(uniqueKeysWithValues: rows.lazy.map { ($0.id, $0.value) })
  }
}
