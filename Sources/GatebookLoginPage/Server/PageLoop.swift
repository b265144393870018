internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// The thread of a login page: accepts connections and moves each on as far as it goes without
/// waiting.
final class PageLoop {
  private let listener: Int32
  private let mail: PageMail
  private let readiness: Readiness
  private let handle: @Sendable (PageRequest) async -> PageReply
  private var visits: [Int32: PageVisit] = [:]
  private var count = 0
  private var processes = ConnectedProcesses()
  /// Whether this system tells whose a connection is.
  private let canTell: Bool

  /// How many connections there may be; more than browsers open.
  private static let mostVisits = 64

  init(
    _ listener: Int32, _ mail: PageMail, _ readiness: Readiness, canTell: Bool,
    _ handle: @escaping @Sendable (PageRequest) async -> PageReply
  ) {
    self.listener = listener
    self.mail = mail
    self.readiness = readiness
    self.canTell = canTell
    self.handle = handle
    readiness.add(listener, [.readable])
    readiness.add(mail.descriptor, [.readable])
  }

  /// Answers until it is to end and what was answered is sent.
  func run() {
    while true {
      let ready = readiness.wait(atMost: patience)
      for (descriptor, events) in ready {
        if descriptor == listener {
          accept()
        } else if descriptor == mail.descriptor {
          mail.clear()
        } else if visits[descriptor] != nil {
          move(descriptor, events)
        }
      }
      let (replies, isEnding) = mail.take()
      for (number, reply) in replies {
        guard let socket = visits.first(where: { $0.value.number == number })?.key else { continue }
        visits[socket]?.answer(reply)
      }
      settle()
      guard isEnding else { continue }
      for socket in visits.keys { visits[socket]?.hurry() }
      if !visits.values.contains(where: \.isUnderWay) { break }
    }
    for socket in visits.keys { FileDescriptor.close(socket) }
    FileDescriptor.close(listener)
    mail.close()
  }

  /// How long to wait when nothing happens, in milliseconds; below 0 without an end.
  private var patience: Int32 {
    let next = visits.values.map(\.deadline).min() ?? .max
    return next == .max ? -1 : Int32(clamping: max(0, next - PageVisit.now()))
  }

  private func accept() {
    while let socket = Sockets.accept(listener) {
      // The oldest that has said nothing yet, or has its answer, makes room.
      if visits.count >= Self.mostVisits,
        let oldest = visits.values.filter({ !$0.isUnderWay }).min(by: { $0.number < $1.number })
      {
        close(oldest.socket)
      }
      guard visits.count < Self.mostVisits else {
        FileDescriptor.close(socket)
        continue
      }
      count += 1
      visits[socket] = PageVisit(socket, number: count)
      readiness.add(socket, [.readable])
    }
  }

  private func move(_ socket: Int32, _ events: Readiness.Events) {
    guard var visit = visits[socket] else { return }
    if events.contains(.readable) {
      switch visit.read() {
      case .incomplete: break
      case .gone: visit.end()
      case .malformed(let status):
        // The app hears of it as of any other stranger.
        handOver(.malformed(visitor(of: socket)), number: 0)
        visit.answer(PageReply("\(status) Bad Request", text: "Gatebook does not read this.\n"))
      case .whole(let head, let body):
        visit.wait()
        handOver(PageRequest(head, body, visitor(of: socket)), number: visit.number)
      }
    }
    if events.contains(.writable) { visit.write() }
    if !events.isDisjoint(with: .gone) { visit.end() }
    visits[socket] = visit
  }

  /// Asks for the answer, which comes by mail.
  private func handOver(_ request: PageRequest, number: Int) {
    let (handle, mail) = (handle, mail)
    Task { mail.put(await handle(request), for: number) }
  }

  private func visitor(of socket: Int32) -> PageRequest.Visitor {
    guard let owner = processes.owner(of: socket) else {
      return PageRequest.Visitor(isOtherUser: false, hasLeft: canTell, program: nil)
    }
    return PageRequest.Visitor(
      isOtherUser: !owner.isOwn && owner.user != 0,
      program: owner.process.flatMap { LocalSocket.Peer.name(of: $0) })
  }

  /// Closes what is over or late, and waits for what each of the others can do next.
  private func settle() {
    let now = PageVisit.now()
    for (socket, visit) in visits {
      if visit.isOver || visit.deadline <= now {
        close(socket)
      } else {
        readiness.change(socket, visit.events)
      }
    }
  }

  private func close(_ socket: Int32) {
    visits[socket] = nil
    FileDescriptor.close(socket)
  }
}
