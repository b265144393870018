/// What changes while a fault proxy runs; always protected by its lock.
struct ProxyState: Sendable {
  /// A fault that is still to come, and where.
  struct Entry: Sendable {
    var fault: ProxyFault
    /// How many of the requests that fit are let through first.
    var skipped: Int
    /// How many are hit after these; `nil` for all.
    var remaining: Int?
    var fits: @Sendable (LoopbackRequest) -> Bool
  }

  private(set) var entries: [Entry] = []
  /// The requests that met a fault.
  private(set) var faulted: [LoopbackRequest] = []
  /// Whether answers that are held wait on.
  private(set) var isHolding = false

  /// Adds a fault after the others.
  mutating func append(_ entry: Entry) {
    if case .held = entry.fault { isHolding = true }
    entries.append(entry)
  }

  /// Takes all faults back; what is held stays held.
  mutating func clear() {
    entries = []
  }

  /// Lets go what is held.
  mutating func release() {
    isHolding = false
  }

  /// Takes the fault for a request; `nil` when all is well.
  ///
  /// Every fault that the request fits and that lets it through has counted it.
  mutating func take(for request: LoopbackRequest) -> ProxyFault? {
    for index in entries.indices where entries[index].remaining != 0 {
      guard entries[index].fits(request) else { continue }
      guard entries[index].skipped == 0 else {
        entries[index].skipped -= 1
        continue
      }
      if let remaining = entries[index].remaining { entries[index].remaining = remaining - 1 }
      faulted.append(request)
      return entries[index].fault
    }
    return nil
  }
}
