internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// Events on their way into the staging table of a fleet.
struct EventBatch {
  /// The statement that the bytes belong to.
  static let statement =
    """
    COPY gatebook.staging (version, position, revision, at, cause, process, program, withheld, id, \
    account, session, kind, data, sealed, leaf) FROM STDIN (FORMAT binary)
    """

  /// The rows in the binary form of `COPY`, without header and trailer.
  private(set) var bytes: [UInt8] = []
  /// How many events there are.
  private(set) var count = 0
  /// The last event; the one before the first one while there is none.
  private(set) var last: Int64
  /// The programs that wrote them, by their numbers less one.
  private(set) var programs: [Program] = []
  private var numbers: [Int: Int32] = [:]
  private let sendsPersonal: Bool

  /// Begins after an event.
  init(after position: Int64, sendsPersonal: Bool) {
    last = position
    self.sendsPersonal = sendsPersonal
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - all: All programs that its names have met.
  mutating func append(_ event: ShippedEvent, _ all: [Program]) {
    let program = number(of: event.program, all)
    let isWithheld = !sendsPersonal && event.sealed != nil
    let room =
      160 + event.kind.count + event.data.count + (isWithheld ? 0 : event.sealed?.count ?? 0)
      + Digest.count
    CopyRow.append(to: &bytes, room: room, fields: 15) { row in
      row.field(Int32(clamping: event.version))
      row.field(event.position)
      row.field(event.revision)
      row.field(event.at)
      row.field(optional: event.cause)
      row.field(event.process)
      row.field(program)
      row.field(isWithheld)
      row.field(event.id)
      row.field(event.account)
      row.field(event.session)
      event.kind.withUnsafeBytes { row.field($0) }
      row.field(event.data)
      row.field(isWithheld ? nil : event.sealed)
      event.leaf.withUnsafeBytes { row.field($0) }
    }
    count += 1
    last = event.position
  }

  private mutating func number(of program: Int, _ all: [Program]) -> Int32 {
    if let known = numbers[program] { return known }
    programs.append(all[program])
    let number = Int32(programs.count)
    numbers[program] = number
    return number
  }
}
