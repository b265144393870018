/// An event as it is counted: numbers of the dictionaries, and its time.
struct RollupEvent {
  let account: Int64
  let kind: Int64
  let at: Int64
}
