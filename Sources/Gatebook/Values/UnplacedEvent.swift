/// An event whose stream is not known yet.
struct UnplacedEvent: Sendable {
  let kind: EventKind
  let data: Facts
  let personal: Facts?

  init(_ kind: EventKind, data: Facts, personal: Facts?) {
    self.kind = kind
    self.data = data
    self.personal = personal
  }

  init(_ facts: some EventFacts, personal: Facts? = nil) {
    self.init(type(of: facts).kind, data: facts.facts, personal: personal)
  }
}
