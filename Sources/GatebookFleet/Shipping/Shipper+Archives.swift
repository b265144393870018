internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

extension Shipper {
  /// Ships the archives that the fleet needs first, then what the book has and the fleet has not.
  ///
  /// - Parameter news: Called before an archive is shipped.
  /// - Returns: What was done, with the events of archives.
  /// - Throws: `fleet.gap` for an archive that is not at hand; as ``ship()``.
  func shipWithArchives(_ news: (ShipmentNews) -> Void) throws(GatebookError) -> ShipReport {
    var archived: Int64 = 0
    while true {
      do throws(GatebookError) {
        var report = try ship()
        report.events += archived
        return report
      } catch {
        archived += try shipArchive(after: error, news)
      }
    }
  }

  /// Ships the archive with the events that the fleet needs first.
  ///
  /// - Parameters:
  ///   - error: Why the book could not be shipped.
  ///   - news: Called before.
  /// - Returns: How many events the fleet took.
  /// - Throws: That error, if it is another one or the archive is not at hand; what shipping the
  ///   archive throws.
  private func shipArchive(
    after error: GatebookError, _ news: (ShipmentNews) -> Void
  ) throws(GatebookError) -> Int64 {
    guard error.code == .fleetGap, let position = error.position,
      let archive = try reader.archive(with: position)
    else { throw error }
    news(.archive(archive.path, from: position))
    let report = try Shipper(archive, to: access, options, progress: progress).ship()
    guard report.size >= position.rawValue else { throw error }
    return report.events
  }
}
