internal import GatebookCrypto
public import GatebookEvents
internal import GatebookSystem

/// The machine's clocks: `CLOCK_REALTIME` and `CLOCK_BOOTTIME`, which runs on in suspend.
public struct SystemClock: BookClock {
  /// Makes a clock.
  public init() {}

  /// Both clocks, read now.
  public func now() -> Moment {
    Moment(
      wall: Timestamp(rawValue: SystemTime.wall), boot: SystemTime.sinceBoot, bootID: Self.bootID)
  }

  /// The kernel's name of this start of the machine, keyed: the log tells starts apart, and no
  /// other program's log can be matched with it (machine-id(5) asks for that of such names).
  private static let bootID: BootID? = {
    let name = OpenFile.open("/proc/sys/kernel/random/boot_id", .read)?.read(atMost: 64)
    guard let name, !name.isEmpty else { return nil }
    let hash = HMAC.sha256(key: Array("gatebook/boot".utf8), name)
    return BootID(Hex.encode(hash.prefix(8)))
  }()
}
