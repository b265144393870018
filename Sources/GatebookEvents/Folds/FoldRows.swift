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
  /// Where rows were found last, by the low bits of their identities, which are random.
  private var recentPlaces: [Int] = []
  private static var recentCount: Int { 256 }

  var count: Int { rows.count }

  func place(of id: ID) -> Int? { places[id] }

  /// Finds a place again without a hash: a fold asks for each event.
  mutating func find(_ id: ID) -> Int? {
    guard rows.count > 1 else { return place(of: id) }
    if recentPlaces.isEmpty { recentPlaces = Array(repeating: 0, count: Self.recentCount) }
    let slot = Int(truncatingIfNeeded: id.low) & (Self.recentCount - 1)
    let recent = recentPlaces[slot]
    if self.id(at: recent) == id { return recent }
    guard let place = place(of: id) else { return nil }
    recentPlaces[slot] = place
    return place
  }

  func id(at place: Int) -> ID { rows.withUnsafeBufferPointer { $0[checked: place].id } }

  /// Reads of a value in place: a row is too large to be copied for each event.
  @inline(__always)
  func read<Result>(_ place: Int, _ body: (Value) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body($0[checked: place].value) }
  }

  /// Changes how a value is kept, and not what it says: its row counts as unchanged.
  mutating func settle(_ place: Int, _ body: (inout Value) -> Void) {
    body(&rows[place].value)
  }

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

extension UnsafeBufferPointer {
  /// An element; a place outside ends the program, as it does for an array.
  fileprivate subscript(checked place: Int) -> Element {
    @inline(__always) _read {
      precondition(indices.contains(place), "There is no such row.")
      yield self[place]
    }
  }
}
