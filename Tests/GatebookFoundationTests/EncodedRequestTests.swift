import Foundation
import Gatebook
import GatebookFoundation
import Testing

@Suite struct EncodedRequestTests {
  private struct Item: Codable, Equatable {
    var name: String
    var price: Double
  }

  @Test func `a body is the app's value as JSON`() throws {
    let item = Item(name: "lamp", price: 12.5)
    let request = try HTTPRequest.post(WebBook.page(), encoding: item)
    #expect(request.method == "POST")
    #expect(try request.url == WebBook.page())
    #expect(request.fields == [HTTPField("Content-Type", "application/json")])
    #expect(try JSONDecoder().decode(Item.self, from: request.data) == item)
  }

  @Test func `an encoder can say how it is written`() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys]
    let fields = [HTTPField("Content-Type", "application/merge-patch+json")]
    let request = try HTTPRequest(
      "PATCH", WebBook.page(), fields: fields,
      encoding: ["until": Date(timeIntervalSince1970: 1), "from": Date(timeIntervalSince1970: 0)],
      encoder: encoder, isRepeatable: true)
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"from":"1970-01-01T00:00:00Z","until":"1970-01-01T00:00:01Z"}"#)
    #expect(request.fields == fields)
    #expect(request.isRepeatable)
  }

  @Test func `a value without JSON is an error that names its place`() throws {
    let error = #expect(throws: GatebookError.self) {
      try HTTPRequest.post(WebBook.page(), encoding: [Item(name: "lamp", price: .infinity)])
    }
    #expect(error?.code == .configurationInvalid)
    #expect(error?.message.contains(": 0.price.") == true, "\(String(describing: error))")
    #expect(error?.description.contains("inf") == false)
  }

  @Test func `a JSON object of the library and a value of the app work side by side`() throws {
    let page = try WebBook.page()
    #expect(HTTPRequest.post(page, json: ["name": "lamp"]).body == Array(#"{"name":"lamp"}"#.utf8))
    #expect(
      try HTTPRequest.post(page, encoding: ["name": "lamp"]).body
        == HTTPRequest.post(page, json: ["name": "lamp"]).body)
  }
}
